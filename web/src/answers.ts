// The questions and answers of crates/tilework-web, which says what they mean.

export type Reading = "offsets" | "banks" | "threads";

/** What the reader has chosen about the pictures. */
export interface View {
  reading?: Reading;
  path?: boolean;
  dark?: boolean;
  cells?: number;
  banks?: number;
  bank?: number;
  element?: number;
}

export interface Source {
  text: string;
  before: string[];
}

export interface Questions {
  pane: Source & { view: View };
  operation: Source & { view: View; number: number };
  cell: Source & { view: View; index: number };
  export: Source & { view: View; format: "svg" | "tex" | "html" };
  functions: Record<never, never>;
}

export interface Answers {
  pane: PaneAnswer;
  operation: OperationAnswer | null;
  cell: CellAnswer | null;
  export: string | null;
  functions: FunctionRow[];
}

export interface PaneAnswer {
  value: { text: string; kind: string; name: string | null } | null;
  facts: { name: string; value: string }[];
  picture: Picture | null;
  operations: { name: string; start: number; end: number; refused: boolean }[];
  error: Wrong | null;
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
  panels: { rows: number; columns: number; indices: number[] }[];
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
  index: number;
  coordinates: { shape: string; coordinate: string }[];
  more: boolean;
  offset: string;
  bank: number | null;
  thread: { thread: number; value: number } | null;
  sentence: string;
}

export interface FunctionRow {
  name: string;
  forms: string[];
  summary: string;
  family: string;
}
