// The questions and answers of crates/tilework-web, which documents them.

/** The reader's choices about the pictures. */
export interface View {
  aspect?: string;
  /** What the colours represent; empty for the aspect's default. */
  color?: string;
  path?: boolean;
  dark?: boolean;
  cells?: number;
  tile?: string;
  element?: number | null;
  banks?: number;
  bytes?: number;
  bits?: number | null;
  /** The values that the reader has chosen for names. */
  names?: Record<string, number>;
}

export interface Source {
  text: string;
  before: string[];
}

/** The lines of a tensor on a mesh of devices; its shape is a text, which may use names. */
export interface TensorQuestion extends Source {
  mesh: string;
  spec: string;
  to: string;
  links: string;
  device: number | null;
  view: View;
}

/** What is asked about a tile of shared memory; what is empty is not asked. */
export interface TileQuestion extends Source {
  access: string;
  copy: string;
  operand: string;
  vector: number | null;
  view: View;
}

/** A storage format by name, or words to search for; sizes that are not given are small. */
export interface FormatQuestion {
  name: string;
  sizes: Record<string, number>;
  by: string;
  view: View;
}

/** A GPU program; by default the picture is of its first statement, and sizes are usual ones. */
export interface KernelQuestion {
  text: string;
  line: number | null;
  sizes: Record<string, number>;
  view: View;
}

export interface Questions {
  pane: Source & { view: View };
  operation: Source & { view: View; number: number };
  cell: Source & { view: View; number: number };
  export: Source & { view: View; format: "svg" | "tex" | "html" };
  functions: Record<never, never>;
  aspects: Record<never, never>;
  colors: Record<never, never>;
  atoms: { words: string };
  scan: { text: string };
  sharding: TensorQuestion;
  block: TensorQuestion & { number: number };
  memory: TileQuestion;
  format: FormatQuestion;
  place: FormatQuestion & { number: number };
  program: KernelQuestion;
  touch: KernelQuestion & { number: number };
  check: KernelQuestion;
  emit: KernelQuestion & { language: string };
  run: KernelQuestion;
  starts: Record<never, never>;
}

export interface Answers {
  pane: PaneAnswer;
  operation: OperationAnswer | null;
  cell: CellAnswer | null;
  export: string | null;
  functions: FunctionRow[];
  aspects: ChoiceRow[];
  colors: ChoiceRow[];
  atoms: AtomsAnswer;
  scan: Scanned[];
  sharding: ShardingAnswer;
  block: BlockAnswer | null;
  memory: MemoryAnswer;
  format: FormatAnswer;
  place: PlaceAnswer | null;
  program: ProgramAnswer;
  touch: PlaceAnswer | null;
  check: CheckAnswer;
  emit: TextAnswer;
  run: TextAnswer;
  starts: Start[];
}

/** A layout in a pasted text. */
export interface Scanned {
  line: number;
  label: string;
  text: string;
  value: string;
}

export interface PaneAnswer {
  value: { text: string; kind: string; name: string | null; function?: string } | null;
  facts: { name: string; value: string }[];
  picture: Picture | null;
  operations: { name: string; start: number; end: number; refused: boolean }[];
  error: Wrong | null;
  /** For a value with names. */
  names: NamesAnswer | null;
}

export interface NamesAnswer {
  sliders: { name: string; value: number }[];
  clauses: { text: string; holds: boolean }[];
  /** The facts that do not hold. */
  broken: string[];
  /** The value without its guard. */
  value: string | null;
  /** The text evaluated with these numbers, if that is another layout. */
  right: string | null;
  /** Whether the value is correct at these numbers; `null` if unknown. */
  agrees: boolean | null;
  sentence: string;
}

export interface Wrong {
  code: string;
  message: string;
  help: string | null;
  start: number;
  end: number;
}

export interface Picture {
  svg: string;
  caption: string;
  cut: number | null;
  panels: { rows: number; columns: number; cells: number }[];
}

export interface OperationAnswer {
  name: string;
  expression: string;
  operands: { source: string; value: string; picture: Picture | null }[];
  sections: Section[];
  value: string | null;
  picture: Picture | null;
  error: Wrong | null;
}

export interface Section {
  title: string;
  lines: string[];
  table: { header: string[]; rows: string[][] } | null;
}

export interface CellAnswer {
  coordinates: { shape: string; coordinate: string }[];
  more: boolean;
  offset: string;
  bank: number | null;
  note: string;
  sentence: string;
}

export interface ChoiceRow {
  name: string;
  summary: string;
}

export interface FunctionRow {
  name: string;
  forms: string[];
  summary: string;
  family: string;
  definition: string;
  /** Expressions with their values. */
  examples: [string, string][];
  /** Its names in C++ CuTe, the CuTe DSL and pycute; empty if these lack it. */
  cute: [string, string, string];
  aliases: string[];
  errors: string;
}

export interface AtomsAnswer {
  count: number;
  names: string[];
  families: { architecture: string; instructions: string; count: number; example: string }[];
}

/** The text of a form, or why there is none. */
export type Form = string | { refused: string };

export interface LinkBytes {
  axis: string;
  bytes: number;
}

export interface ShardingAnswer {
  forms: { mesh?: string; layout: string; local: number[]; even: boolean; devices: number; jax: Form; pytorch: Form; hlo: Form; shardy: Form } | null;
  held: string | null;
  picture: Picture | null;
  /** Why there is none. */
  unpictured: string | null;
  /** The cells that the chosen device holds. */
  cells: number[];
  /** The output of the command line; the messages that the device sends; and the plan as data. */
  plan: {
    text: string;
    sent: string;
    by_messages: boolean;
    bytes: number | null;
    links: LinkBytes[] | null;
    steps: { step: string; bytes: number; links: LinkBytes[]; after: string }[] | null;
  } | null;
  /** The line with an error. */
  line: string;
  error: Wrong | null;
}

export interface MemoryAnswer {
  /** The output of each command, and whether it is yes; `null` if there is no answer. */
  answers: { command: string; text: string; yes: boolean | null }[];
  picture: Picture | null;
  error: Wrong | null;
}

export interface FormatAnswer {
  /** `null` if the name is that of no format. */
  format: {
    name: string;
    purpose: string;
    axes: { name: string; noun: string; size: number }[];
    /** The pieces of its block. */
    pieces: string[];
    /** Titles with their lines: at the sizes, and for all sizes. */
    facts: [string, string[]][];
    known: [string, string[]][];
  } | null;
  found: { name: string; purpose: string; aliases: string[] }[];
  picture: Picture | null;
  error: Wrong | null;
}

/** A cell of the picture of a format or a program. */
export interface PlaceAnswer {
  panel: string;
  /** Its coordinate; empty where there is none. */
  element: string;
  text: string;
  sentence: string;
  /** The cells of the same place. */
  cells: number[];
}

/** A line of a program, `null` where it is of the whole, and a sentence or its own text. */
export interface ProgramLine {
  line: number | null;
  text: string;
}

export interface ProgramAnswer {
  /** `null` if the text is no program. */
  name: string | null;
  sizes: [string, number][];
  /** The statements that touch memory. */
  statements: ProgramLine[];
  /** The line of the one that is drawn. */
  line: number | null;
  picture: Picture | null;
  error: ProgramLine | null;
}

export interface CheckAnswer {
  verdict: "" | "proved" | "slow" | "tried" | "wrong";
  findings: (ProgramLine & { certainty: "proved" | "slow" | "tried" | "wrong" })[];
  conditions: string;
  error: ProgramLine | null;
}

export interface TextAnswer {
  text: string | null;
  error: ProgramLine | null;
}

/** A program of the library. */
export interface Start {
  name: string;
  text: string;
}

export interface BlockAnswer {
  indices: string;
  first: string;
  last: string;
  holders: { device: number; place: string }[];
  sentence: string;
}
