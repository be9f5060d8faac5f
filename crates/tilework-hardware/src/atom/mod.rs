//! Instructions as data: one row for an instruction, or a rule for a family.
