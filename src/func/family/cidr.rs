//! Calculations with IP address prefixes.
//!
//! If go-cidr's own arithmetic fails (numbers beyond 64 bits that don't fit, negative subnet numbers), the
//! answer is declined: it differs between versions or is no address. What it makes of IPv4 addresses mapped into IPv6 is
//! strange too, but the same everywhere.
//! Sources of the semantics: Terraform's `cidr` functions and `ipaddr` package, apparentlymart/go-cidr 1.1.0.

use crate::func::args::{int, number, string, strings, text};
use crate::func::go_compat::network::Network;
use crate::func::{FuncError, Function, Param, Returns, Want};
use crate::value::Value;
use dashu_int::UBig;

const PREFIX: Param = Param::new("prefix", Want::String);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "cidrhost",
        &[PREFIX, Param::new("hostnum", Want::Number)],
        |_, args, _| {
            let number = whole(args, 1)?;
            string(host(&network_of(args)?, &number)?)
        },
        "The address of a host in a prefix, from the end where negative. Terraform docs: cidrhost; go-cidr HostBig.",
    ),
    Function::text(
        "cidrnetmask",
        &[PREFIX],
        |_, args, _| {
            let network = network_of(args)?;
            if !network.is_v4() && !network.is_mapped(network.address) {
                return Err(FuncError::new(format!(
                    "IPv6 addresses cannot have a netmask: {}",
                    text(args, 0)?
                )));
            }
            string(network.address_text(network.mask()))
        },
        "The netmask of an IPv4 prefix. Terraform docs: cidrnetmask.",
    ),
    Function::text(
        "cidrsubnet",
        &[PREFIX, Param::new("newbits", Want::Number), Param::new("netnum", Want::Number)],
        |_, args, _| {
            let (bits, number) = (int(args, 1)?, whole(args, 2)?);
            string(subnet(&network_of(args)?, bits, &number)?)
        },
        "A subnet of a prefix by its number. Terraform docs: cidrsubnet; go-cidr SubnetBig.",
    ),
    Function::new(
        "cidrsubnets",
        &[PREFIX],
        Returns::Fixed(Want::List(&Want::String)),
        |_, args, _| {
            let bits: Vec<i64> = (1..args.len()).map(|i| int(args, i)).collect::<Result<_, _>>()?;
            strings(subnets(&network_of(args)?, &bits)?)
        },
        "Consecutive subnets of a prefix. Terraform docs: cidrsubnets; go-cidr NextSubnet.",
    )
    .variadic(Param::new("newbits", Want::Number)),
];

/// A whole number of any size: whether it is negative, and how much.
struct Whole {
    negative: bool,
    magnitude: UBig,
}

impl Whole {
    /// The magnitude, where 128 bits hold it.
    fn small(&self) -> Option<u128> {
        u128::try_from(&self.magnitude).ok()
    }
}

fn whole(args: &[Value], i: usize) -> Result<Whole, FuncError> {
    let number = number(args, i)?;
    if !number.is_integer() {
        return Err(FuncError::new("value must be a whole number"));
    }
    let (negative, magnitude) =
        number.trunc().ok_or_else(|| FuncError::unsupported("the number is not finite"))?;
    Ok(Whole { negative: negative && magnitude != UBig::ZERO, magnitude })
}

fn network_of(args: &[Value]) -> Result<Network, FuncError> {
    let text = text(args, 0)?;
    let network = Network::parse(text)
        .ok_or_else(|| FuncError::arg(0, format!("invalid CIDR expression: invalid CIDR address: {text}")))?;
    Ok(network)
}

fn host(network: &Network, number: &Whole) -> Result<String, FuncError> {
    let most = network.host_mask();
    let error = || {
        FuncError::new(format!("prefix of {} does not accommodate a host with that number", network.length))
    };
    let number = match (number.small(), number.negative) {
        (Some(n), false) if n <= most => n,
        (Some(n), false) if n < 1 << 63 => return Err(error()),
        (Some(n), true) if n - 1 <= most => most - (n - 1),
        (_, true) => return Err(error()),
        _ => return Err(FuncError::unsupported("the host number is beyond 64 bits and the prefix")),
    };
    // go-cidr takes a mapped address for one of 32 bits here, and puts the number that far to the left.
    let shift = if network.is_mapped(network.address) { 96 } else { 0 };
    Ok(network.address_text(network.address | number << shift))
}

fn subnet(network: &Network, bits: i64, number: &Whole) -> Result<String, FuncError> {
    if bits < 0 {
        return Err(FuncError::unsupported("a prefix can't be extended by a negative number of bits"));
    }
    let length = u32::try_from(bits).ok().and_then(|bits| network.length.checked_add(bits));
    let Some(length) = length.filter(|length| *length <= network.bits) else {
        return Err(FuncError::new(format!(
            "insufficient address space to extend prefix of {} by {bits}",
            network.length
        )));
    };
    let fits = |number: u128| bits >= 128 || number >> bits == 0;
    match number.small() {
        Some(n) if fits(n) && !number.negative => {
            let shift = network.bits - length;
            let address = network.address | n.checked_shl(shift).unwrap_or(0);
            Ok(Network { address, length, ..*network }.text())
        }
        Some(n) if !fits(n) && n <= u64::MAX.into() => Err(FuncError::new(format!(
            "prefix extension of {bits} does not accommodate a subnet with that number"
        ))),
        _ => Err(FuncError::unsupported("the subnet number is negative, or beyond 64 bits and the prefix")),
    }
}

/// Bits that one step may add, whatever the address family.
const MAX_BITS: i64 = 32;

fn subnets(network: &Network, bits: &[i64]) -> Result<Vec<String>, FuncError> {
    let mut found = Vec::with_capacity(bits.len());
    // The address before the next free one: before the prefix itself at first.
    let mut last = network.wrap(network.address.wrapping_sub(1));
    for (i, bits) in bits.iter().enumerate() {
        let error = |message: String| FuncError::arg(i + 1, message);
        if *bits < 1 {
            return Err(error("must extend prefix by at least one bit".to_owned()));
        }
        if *bits > MAX_BITS {
            return Err(error(format!("may not extend prefix by more than {MAX_BITS} bits")));
        }
        let length = network.length + u32::try_from(*bits).unwrap_or(0);
        if length > network.bits {
            return Err(error(format!(
                "would extend prefix to {length} bits, which is too long for the address"
            )));
        }
        if i == 0 {
            let before = Network { address: last, length, ..*network };
            last = before.address & before.mask() | before.host_mask();
        }
        let previous = Network { address: last, length, ..*network };
        let end = last | previous.host_mask();
        let next = network.wrap(end.wrapping_add(1)) & previous.mask();
        // go-cidr takes the number of a mapped address to have 32 bits, and so finds no prefix in it or after its end.
        let astray = network.is_mapped(network.address) || network.is_mapped(end);
        if network.is_mapped(next) && !astray {
            return Err(FuncError::unsupported("a subnet is of IPv4 addresses mapped into IPv6"));
        }
        if next == 0 || !network.contains(next) || astray {
            return Err(error(format!(
                "not enough remaining address space for a subnet with a prefix of {length} bits"
            )));
        }
        let subnet = Network { address: next, length, ..*network };
        found.push(subnet.text());
        last = next | subnet.host_mask();
    }
    Ok(found)
}
