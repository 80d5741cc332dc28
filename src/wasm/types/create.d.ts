/** A required value that may be missing. */
type Perhaps<T> = undefined extends T ? T : T | null | undefined;
/** Creates a value; if a required argument is `undefined` or `null`, that is logged and the result is `undefined`. */
type Create<Arguments extends unknown[], Made> = {
  create(...given: Arguments): Made;
  create(...given: { [At in keyof Arguments]: Perhaps<Arguments[At]> }): Made | undefined;
}["create"];
/** The same, from an object of options. */
type CreateFrom<Options, Made> = {
  create(options: Options): Made;
  create(options: { [Option in keyof Options]: Perhaps<Options[Option]> } | null | undefined): Made | undefined;
}["create"];
