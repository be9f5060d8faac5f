//! The layouts of `by_layout.rs` and `by_tensor.rs`.

use tilework::static_layout;
use tilework::static_layout::Compose;

static_layout! {
    pub struct RowMajor = (8,8):(8,1);
    pub struct ColumnMajor = (8,8):(1,8);
    pub struct ThreadValue = ((4,8),2):((16,1),8);
    pub struct Packed = (32,2):(2,1);
    pub type Partition = Compose<RowMajor, ThreadValue>;
    pub struct Matrix = (64,48):(48,1);
    pub struct Transposed = (64,48):(1,64);
    pub struct Blocked = ((4,8),(2,16)):((2,128),(1,8));
}
