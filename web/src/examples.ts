// The examples of the start page. A test evaluates every one of them.

import { pane, type PaneState } from "./state";
import type { Named } from "./named";
import type { Stored } from "./stored";
import { tensor, type Tensor } from "./tensor";

export interface Example {
  title: string;
  note: string;
  panes: PaneState[];
  tensor?: Tensor;
  stored?: Stored;
}

export interface Chapter {
  title: string;
  examples: Example[];
}

/** The contents of a new pane of a tensor on many devices. */
export const FIRST_TENSOR = tensor("(1024,512)", "x=2,y=4", "P(x, y)", { to: "P(x)" });

const TILER_NOTE = "The elements of an 8x16 layout that the tiler takes.";
const DIVIDE_NOTE = "All elements, in tiles such as the tiler takes.";
const SLICED = "((3,2),((2,3),2)):((4,1),((2,15),100))";
const FRAGMENT = "((4,8),2):((16,1),8)";
const FRAGMENT_NOTE = "The thread and the value of each element of C in Ampere's FP64 tensor core, and where both lie in row-major data.";
const BANKS_NOTE = "Rows of 32 words. Read down a column, all eight lie in one bank, and after the swizzle in eight.";

const example = (title: string, note: string, ...panes: PaneState[]): Example => ({ title, note, panes });
const sharded = (title: string, note: string, tensor: Tensor): Example => ({ title, note, panes: [], tensor });
const stored = (title: string, note: string, format: string, sizes: Named = {}): Example => ({ title, note, panes: [], stored: { format, sizes, by: "" } });
const tiles = (text: string) => pane(text, { aspect: "tiles" });
const slice = (coordinate: string) => pane(`(${SLICED})${coordinate}`, { aspect: "slice" });

export const CHAPTERS: Chapter[] = [
  {
    title: "Layouts (Figures 3 and 4)",
    examples: [
      example("Column-major", "The first mode goes through memory step by step.", pane("(4,8):(1,4)", { path: true })),
      example("Row-major", "The last mode does.", pane("(4,8):(8,1)", { path: true })),
      example("Padded", "Columns begin five apart, and one place of five stays empty.", pane("(4,8):(1,5)", { path: true })),
      example("Interleaved", "Four columns lie side by side.", pane("(4,(4,2)):(4,(1,16))", { path: true })),
      example("Mixed", "Tiles within tiles: Figure 3e.", pane("((2,2),(4,2)):((1,8),(2,16))", { path: true })),
      example("Broadcast", "A stride of 0 reads the same places again.", pane("((2,2),(2,4)):((0,2),(0,4))")),
      example("Coordinates", "Strides that count along axes: Figure 4a.", pane("(4,8):(1@0,1@1)")),
      example("Coordinates, folded", "Figure 4b.", pane("(4,(4,2)):(1@1,(1@0,6@1))")),
      example("XOR strides", "Offsets are XORed, not added: Figure 4c.", pane("(4,(4,3)):(^1,(^5,^16))")),
    ],
  },
  {
    title: "Slices (Figure 5)",
    examples: [
      example("A row", "A coordinate fixes a mode, and _ keeps one.", slice("(2,_)")),
      example("A column", "What is fixed goes into the offset.", slice("(_,5)")),
      example("Within the tiles", "Parts of modes can be fixed as well.", slice("((1,_),((_,0),_))")),
      example("Names", "A slice of what another pane has named.", pane(`let A = ${SLICED}`), pane("A((_,0),((0,_),1))")),
    ],
  },
  {
    title: "Partitions and tilers (Figures 6, 7 and 8)",
    examples: [
      example(
        "An Ampere fragment",
        FRAGMENT_NOTE,
        pane(FRAGMENT, { aspect: "threads", tile: "(8,8)" }),
        pane(`(8,8):(8,1) o ${FRAGMENT}`, { aspect: "values" }),
      ),
      example("One element", "It is followed through a composition.", pane("(8,8):(8,1) o ((4,4),2):((16,1),8)", { aspect: "operation", element: 9 })),
      example("A block", TILER_NOTE, tiles("(8,16):(20,1) o <4,8>")),
      example("Every other row", TILER_NOTE, tiles("(8,16):(20,1) o <4:2,8:1>")),
      example("Every other column", TILER_NOTE, tiles("(8,16):(20,1) o <4:1,8:2>")),
      example("Pairs", TILER_NOTE, tiles("(8,16):(20,1) o <(2,2):(1,4),(2,4):(1,4)>")),
      example(
        "What two layouts share",
        "The elements that one instruction can copy.",
        pane("common_vector(((2,2),(2,4)):((1,4),(2,8)), ((2,2),(2,4)):((1,8),(2,4)))", { aspect: "common" }),
      ),
    ],
  },
  {
    title: "Products and divides (Figures 10, 11 and 12)",
    examples: [
      example("Blocked", "A 3x4 tile, 2x5 times.", tiles("blocked_product((3,4):(4,1), (2,5):(1,2))")),
      example("Raked", "The same tile, spread over the grid.", tiles("raked_product((3,4):(4,1), (2,5):(1,2))")),
      example("Divided into blocks", DIVIDE_NOTE, tiles("(8,16):(20,1) / <4,8>")),
      example("Divided by every other column", DIVIDE_NOTE, tiles("(8,16):(20,1) / <4:1,8:2>")),
      example("Divided into pairs", DIVIDE_NOTE, tiles("(8,16):(20,1) / <(2,2):(1,4),(2,4):(1,4)>")),
      example("A divide and what it gives", "The tiles in the layout, and gathered in the result.", pane("zipped_divide((4,8):(8,1), <2,4>)", { aspect: "operation" })),
    ],
  },
  {
    title: "Swizzles",
    examples: [
      example("Banks before and after", BANKS_NOTE, pane("smem_ptr[32b] o Sw<3,2,3> o 0 o (8,32):(32,1)", { aspect: "banks" })),
      example("Rows into columns", "The field of the row is XORed into that of the column.", pane("Sw<3,0,3> o 0 o (8,8):(8,1)", { path: true })),
      example("Where columns went", "Each element in the colour of the column that it has without the swizzle.", pane("Sw<3,0,3> o 0 o (8,8):(8,1)", { color: "column" })),
      example("128 bytes", "Sw<3,4,3> on rows of bytes.", pane("Sw<3,4,3> o 0 o (8,128):(128,1)")),
    ],
  },
  {
    title: "Exactness",
    examples: [
      example("A composition", "The left layout turns within a step of the right one.", pane("(4,6,8,10):(2,3,5,7) o 6:12")),
      example("A refusal", "No layout is this function; the steps carry together.", pane("(6,2):(1,7) o (3,2):(2,3)")),
      example("Sizes known at launch", "M and ld are names. Move the sliders: where the condition fails, the marked offsets are wrong.", pane("(M,K):(1,ld) o 64:3", { names: { M: 24, ld: 25 } })),
      example("A ragged tile", "Tiles of a matrix of any size; ceil(M/4) of them.", pane("(M,N):(N,1) / <4,8>", { names: { M: 10, N: 20 } })),
      example("Turns that do not divide", "Four of six steps, and no layout goes on.", pane("(4,6,8):(2,3,5) o 6:1")),
      example(
        "Several operations",
        "Step through them below.",
        pane("let A = (8,16):(20,1)"),
        pane("coalesce(zipped_divide(A, <4:1,8:2>) o ((4,8),4))"),
      ),
    ],
  },
  {
    title: "Storage formats",
    examples: [
      stored("An AWQ weight", "Eight values of 4 bits in a word, in an order of their own.", "awq_gemm", { K: 2, N: 16 }),
      stored("Factors of block-scaled values", "Tiles of 128 rows by 4, as Blackwell reads them; the dots are padding.", "scale_128x4"),
      stored("A block of ggml", "Values and scales in one block of 18 bytes, each piece in a colour.", "ggml_q4_0", { N: 1, K: 64 }),
    ],
  },
  {
    title: "Tensors on many devices",
    examples: [
      sharded("Columns gathered", "Each device takes the columns of its row of the mesh.", FIRST_TENSOR),
      sharded("Partial sums", "A reduce-scatter adds them.", tensor("(16,64)", "x=2,y=4", "[Partial(sum), Shard(1)]", { to: "[Shard(0), Shard(1)]" })),
      sharded("A strided shard", "PyTorch's tensor and data parallelism on one dimension.", tensor("16", "dp=4,tp=2", "[_StridedShard(0, sf=2), Shard(0)]")),
      sharded(
        "Links of two speeds",
        "4,096 GPUs: what crosses nodes is an eighth, and the rest comes over the fast links.",
        tensor("(16384,16384)", "node=512,gpu=8", "P(node, None)", { to: "P()", bits: 16, links: "node=50,gpu=900" }),
      ),
    ],
  },
];

export const FIRST = [pane("(4,8):(8,1) / <2,4>")];
