//! Compares the installed version of a module with the versions that its call accepts.

/// Returns true if `version` satisfies `constraint`, a list such as `>= 1.2, < 2.0`; `None` if either has a form that
/// isn't read here, such as a pre-release.
pub fn is_within(version: &str, constraint: &str) -> Option<bool> {
    let version = numbers(version)?;
    let mut all = true;
    for one in constraint.split(',').map(str::trim).filter(|c| !c.is_empty()) {
        let at = one.find(|c: char| !"=!<>~".contains(c))?;
        let (operator, text) = one.split_at_checked(at)?;
        let wanted = numbers(text.trim())?;
        let order = padded(&version).cmp(&padded(&wanted));
        all &= match operator {
            "" | "=" => order.is_eq(),
            "!=" => order.is_ne(),
            ">" => order.is_gt(),
            ">=" => order.is_ge(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            // The last number that is written may grow, and what follows it.
            "~>" => {
                let fixed = wanted.len().saturating_sub(1).max(1);
                order.is_ge() && padded(&version).get(..fixed) == padded(&wanted).get(..fixed)
            }
            _ => return None,
        };
    }
    Some(all)
}

fn numbers(text: &str) -> Option<Vec<u64>> {
    let text = text.strip_prefix('v').unwrap_or(text);
    text.split('.').map(|part| part.parse().ok()).collect()
}

fn padded(numbers: &[u64]) -> Vec<u64> {
    let mut all = numbers.to_vec();
    all.resize(all.len().max(4), 0);
    all
}

#[cfg(test)]
mod tests {
    use super::is_within;

    #[test]
    fn constraints() {
        let yes = ["1.2.3", "= 1.2.3", ">= 1.0, < 2", "~> 1.2", "~> 1.2.0", "!= 1.2.4", "~> 1", "v1.2.3"];
        for constraint in yes {
            assert_eq!(is_within("1.2.3", constraint), Some(true), "{constraint}");
        }
        for constraint in ["1.2.4", "~> 1.3", "~> 1.1.0", "> 1.2.3", "< 1.2.3", "2", "!= 1.2.3"] {
            assert_eq!(is_within("1.2.3", constraint), Some(false), "{constraint}");
        }
        for (version, constraint) in [("1.2.3-beta", "1.2.3"), ("1.2.3", ">= 1.2-rc1"), ("1.2.3", "=> 1")] {
            assert_eq!(is_within(version, constraint), None, "{constraint}");
        }
    }
}
