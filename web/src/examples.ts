// What there is to look at first. A test evaluates every one of them.

import { pane, type PaneState } from "./state";

export interface Example {
  title: string;
  note: string;
  panes: PaneState[];
}

export interface Chapter {
  title: string;
  examples: Example[];
}

const TILER_NOTE = "Which elements of an 8x16 layout a tiler takes, column by column and row by row.";
const DIVIDE_NOTE = "The elements that the tiler takes come first, the rest follows: a 2x2 grid of 4x8 tiles.";
const SLICED = "((3,2),((2,3),2)):((4,1),((2,15),100))";
const FRAGMENT = "((4,8),2):((16,1),8)";

const example = (title: string, note: string, ...panes: PaneState[]): Example => ({ title, note, panes });
const tiler = (tiler: string) => pane(`(8,16):(20,1) o ${tiler}`);
const slices = (coordinate: string) => [pane(`let A = ${SLICED}`), pane(`A${coordinate}`)];

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
      example("A row", "A coordinate fixes a mode, `_` keeps one.", ...slices("(2,_)")),
      example("A column", "What is fixed goes into the offset.", ...slices("(_,5)")),
      example("Within the tiles", "Parts of modes can be fixed as well.", ...slices("((1,_),((_,0),_))")),
    ],
  },
  {
    title: "Partitions and tiles (Figures 6, 7 and 12)",
    examples: [
      example(
        "An Ampere fragment",
        "Which thread holds which value of an 8x8 matrix, and the same as places in row-major data.",
        pane(FRAGMENT, { reading: "threads" }),
        pane(`(8,8):(8,1) o ${FRAGMENT}`, { reading: "threads" }),
      ),
      example("Where each value is", "The inverse goes from the matrix to thread and value.", pane(`right_inverse(${FRAGMENT})`)),
      example("Neighbours", TILER_NOTE, tiler("<4:1,8:1>")),
      example("Every other column", TILER_NOTE, tiler("<4:1,8:2>")),
      example("Strided rows", TILER_NOTE, tiler("<4:2,8:1>")),
      example("Pairs of columns", TILER_NOTE, tiler("<4:2,(2,4):(1,4)>")),
      example("A tile and the rest", DIVIDE_NOTE, pane("(8,16):(20,1) / <4:1,8:2>")),
      example("Tiles in one mode", DIVIDE_NOTE, pane("zipped_divide((8,16):(20,1), <4:1,8:2>)")),
    ],
  },
  {
    title: "Products (Figures 10 and 11)",
    examples: [
      example("Blocked", "A 3x4 tile, 2x5 times.", pane("blocked_product((3,4):(4,1), (2,5):(1,2))")),
      example("Raked", "The same tile, spread over the grid.", pane("raked_product((3,4):(4,1), (2,5):(1,2))")),
    ],
  },
  {
    title: "Swizzles",
    examples: [
      example(
        "Banks before and after",
        "Row-major data of 32-bit elements: a column lies in few banks, and after the swizzle in all of them.",
        pane("let A = (8,32):(32,1)", { reading: "banks" }),
        pane("Sw<3,2,3> o 0 o A", { reading: "banks" }),
      ),
      example("XOR of rows and columns", "The field of the row goes into the field of the column.", pane("Sw<3,0,3> o 0 o (8,8):(8,1)")),
      example("The usual 128 bytes", "Sw<3,4,3> on bytes.", pane("Sw<3,4,3> o 0 o (8,128):(128,1)")),
    ],
  },
  {
    title: "Exactness",
    examples: [
      example("A composition", "The left layout turns within a step of the right one.", pane("(4,6,8,10):(2,3,5,7) o 6:12")),
      example("A refusal", "No layout is this function; the steps carry together.", pane("(6,2):(1,7) o (3,2):(2,3)")),
      example("Turns that do not divide", "Four of six steps, and no layout goes on.", pane("(4,6,8):(2,3,5) o 6:1")),
      example(
        "Several operations",
        "Step through them below.",
        pane("let A = (8,16):(20,1)"),
        pane("coalesce(zipped_divide(A, <4:1,8:2>) o ((4,8),4))"),
      ),
    ],
  },
];

export const FIRST = [pane("(4,8):(8,1) / <2,4>")];
