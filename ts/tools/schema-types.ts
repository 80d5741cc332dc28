// The values that a JSON Schema describes, as types: for a schema that is written out in a program.

/**
 * The values that a JSON Schema describes, as far as `type`, `properties`, `required`, `items`, `additionalProperties`,
 * `enum`, `const`, `anyOf` and `oneOf` say it; what only other keywords say is `unknown`. The schema must be literal:
 * an argument of `Tool.define`, or `as const`.
 * @example
 * ```ts
 * import type { SchemaValue } from "apex-parts";
 *
 * const schema = {
 *   type: "object",
 *   properties: { path: { type: "string" }, lines: { type: ["integer", "null"] } },
 *   required: ["path"],
 * } as const;
 * const value: SchemaValue<typeof schema> = { path: "a.txt", lines: null };
 * value.path.length; // 5
 * ```
 */
export type SchemaValue<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : SchemaOfType<S> & SchemaOfAny<S, "anyOf"> & SchemaOfAny<S, "oneOf">;

/** What `type` says: one, or a list of them. */
type SchemaOfType<S> = S extends { readonly type: infer Type }
  ? Type extends readonly (infer One)[]
    ? ValueOfType<One, S>
    : ValueOfType<Type, S>
  : unknown;

/** The values of one `type`. */
type ValueOfType<Type, S> = Type extends "object"
  ? ObjectOfSchema<S>
  : Type extends "array"
    ? ArrayOfSchema<S>
    : Type extends keyof PlainTypes
      ? PlainTypes[Type]
      : unknown;

/** The types that no other keyword says more of. */
interface PlainTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/** What one of the schemas in a list says. */
type SchemaOfAny<S, Keyword extends string> = S extends {
  readonly [Name in Keyword]: readonly (infer One)[];
}
  ? SchemaValue<One>
  : unknown;

/** `items`; those after `prefixItems` are not the only ones. */
type ArrayOfSchema<S> = S extends { readonly prefixItems: unknown }
  ? unknown[]
  : S extends { readonly items: infer Item }
    ? SchemaValue<Item>[]
    : unknown[];

/** The names in `required`; none of a list that is not literal. */
type RequiredOfSchema<S> = S extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name & string
  : never;

/** `properties` with `required`, and `additionalProperties`; a record where a schema names none. */
type ObjectOfSchema<S> = S extends { readonly properties: infer Properties }
  ? keyof Properties extends never
    ? Record<string, unknown>
    : FieldsOfSchema<Properties, RequiredOfSchema<S>> & OthersOfSchema<S>
  : S extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, SchemaValue<Value>>
    : Record<string, unknown>;

/** The fields: those that must be there, those that may, and those that only `required` names. */
type FieldsOfSchema<Properties, Required extends string> = Together<
  {
    -readonly [Name in keyof Properties as Name extends Required ? Name : never]: SchemaValue<
      Properties[Name]
    >;
  } & {
    -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: SchemaValue<
      Properties[Name]
    >;
  } & { [Name in Exclude<Required, keyof Properties>]: unknown }
>;

/** An intersection of objects as one object. */
type Together<T> = { [Name in keyof T]: T[Name] };

/** Fields of other names, where the schema says that there may be some. */
type OthersOfSchema<S> = S extends { readonly additionalProperties: true | object }
  ? { [name: string]: unknown }
  : unknown;
