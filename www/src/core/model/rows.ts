import type { Failure, Tokens } from "../../ui/values";
import type { PartView } from "./parts";

export interface MessageRow {
  kind: "message";
  message: number;
  id: string;
  role: "user" | "assistant" | "other";
  roleName: string;
  agent?: string;
  model?: string;
  created?: number;
  completed?: number;
  cost?: number;
  tokens?: Tokens;
  finish?: string;
  summary: boolean;
  error?: Failure;
}

export interface PartRow {
  kind: "part";
  message: number;
  part: number;
  id: string;
  view: PartView;
}

export type Row = MessageRow | PartRow;
