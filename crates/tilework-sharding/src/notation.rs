//! Reading a text in any form.

use tilework::Layout;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::placements::is_compact;
use crate::sharding::Sharding;

impl Sharding {
    /// Reads any form, which the beginning of the text identifies: `P(...)`, `PartitionSpec(...)` and `NamedSharding(...)` of JAX,
    /// `[Shard(0), ...]` of PyTorch (or in round parentheses, or `S(0)R`), `{...}` of HLO, `#sdy...` and `<@mesh, ...>` of Shardy;
    /// and otherwise a layout `((...),(...)):(...)`.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let forms = ["P(x, None)", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "(S(0), R)", "((2,4),(4,8)):((4@0,0),(1@0,1@1))"];
    /// for form in forms {
    ///     assert_eq!(Sharding::parse(&mesh, &[8, 8], form)?.to_partition_spec()?, "PartitionSpec('x', None)");
    /// }
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the form; [`Error::NoForm`] for a text that begins like none.
    pub fn parse(mesh: &Mesh, shape: &[i64], text: &str) -> Result<Sharding, Error> {
        let text = text.trim();
        let begins = |tokens: &[&str]| tokens.iter().any(|token| text.starts_with(token));
        let placement = || text[1..].trim_start().starts_with(['S', 'R', 'P', '_']);
        if is_compact(text) {
            Sharding::from_placements(mesh, shape, text)
        } else if begins(&["P", "NamedSharding"]) {
            Sharding::from_partition_spec(mesh, shape, text)
        } else if begins(&["{"]) {
            Sharding::from_hlo(mesh, shape, text)
        } else if begins(&["#sdy", "<"]) {
            Sharding::from_shardy(mesh, shape, text)
        } else if begins(&["["]) || begins(&["("]) && placement() {
            Sharding::from_placements(mesh, shape, text)
        } else if begins(&["("]) || text.starts_with(|first: char| first.is_ascii_digit()) {
            Sharding::new(mesh, shape, &Layout::parse(text)?)
        } else {
            Err(Error::NoForm { text: text.chars().take(40).collect() })
        }
    }
}
