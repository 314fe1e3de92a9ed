//! The walk over expressions in guarded values: operators, conditionals, iterations, references, variables, data sources.

pub(super) mod alike;
pub(super) mod apply;
pub(super) mod combinations;
pub(super) mod conditional;
pub(super) mod configured;
pub(super) mod data;
pub(super) mod derive;
pub(super) mod filled;
pub(super) mod instances;
pub(super) mod iterate;
pub(super) mod operands;
pub(super) mod parts;
pub(super) mod pattern;
pub(super) mod reach;
pub(super) mod refer;
pub(super) mod risk;
pub(super) mod select;
pub(super) mod sensitive;
pub(super) mod texts;
pub(super) mod undeclared;
pub(super) mod variable;
