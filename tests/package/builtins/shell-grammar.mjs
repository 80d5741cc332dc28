// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of bash
// Texts of bash in which a value may run the marker `zap`: a value, what carries it to a variable, and what evaluates
// that. The variables and builtins are those of the real bash. Words come from a closed list, so that no text can do
// harm.
import { WAYS } from "../../../scripts/bash-tables.mjs";
import { RandomChoices } from "./random-choices.mjs";

const OWN = ["x", "x", "y", "n", "a", "v"];
const SUBSCRIPTS = ["a[$(zap)0]", "x[$(zap)]", "a[`zap`0]", "b[$(zap)]+1", "a[a[$(zap)0]]"];
const LISTS = ["($(zap))", "([$(zap)0]=1)", "(`zap`)", "(1 $(zap))"];
const CODE = ["$(zap)", "`zap`", "zap", "zap 1", "$(zap 1)x", "${x:-$(zap)}"];
const NUMBERS = ["0", "1", "42", "'7'", '"3"', "1+1"];
const PLAIN = ["a", "a.txt", "'b c'", "%d", ".", "x", "x=1", "-1"];
const OPTIONS = "abcdefghijlnoprstuvwxACDEFGILNOPRSTVWX";
const ENDS = ["; ", "\n", " && ", " || ", " | ", "; : ; "];

export class ShellGrammar extends RandomChoices {
  #variables;
  #builtins;

  /** `names` are the variables and builtins of bash. */
  constructor(seed, { variables, builtins }) {
    super(seed);
    this.#variables = variables;
    this.#builtins = builtins;
  }

  #name = () => (this.chance(0.7) ? this.pick(this.#variables) : this.pick(OWN));

  #quoted(text) {
    if (this.chance(0.15)) return `$'${text.replace(/[\\']/g, "\\$&").replaceAll("$", "\\x24")}'`;
    if (this.chance(0.2)) return `"${text.replace(/[\\"$`]/g, "\\$&")}"`;
    return `'${text}'`;
  }

  /** A word whose value may run something where it is evaluated, or not. */
  #value() {
    switch (this.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return this.#quoted(this.pick(SUBSCRIPTS));
      case 4:
      case 5:
        return this.#quoted(this.pick(LISTS));
      case 6:
        return this.#quoted(this.pick(CODE));
      case 7:
        return this.pick(NUMBERS);
      case 8:
        return this.pick(PLAIN);
      default:
        return `"$${this.pick(["x", "1", "RANDOM", "{v:-0}", "{a[0]}", "(echo 1)"])}"`;
    }
  }

  /** The value as another word, and what must stand before it. */
  #carried(value) {
    switch (this.below(9)) {
      case 0:
        return [`v=${value}; `, '"$v"'];
      case 1:
        return [`v=${value}; w=v; `, this.pick(['"${!w}"', "v", '"$w"'])];
      case 2:
        return ["", `"$(printf %s ${value})"`];
      case 3:
        return [`a=(1 ${value}); `, '"${a[1]}"'];
      case 4:
        return [`set -- ${value}; `, this.pick(['"$1"', '"$@"', "$1"])];
      case 5:
        return [`read -r v <<< ${value}; `, '"$v"'];
      default:
        return ["", value];
    }
  }

  #set(name, value) {
    const more = [
      () => `let ${name}=${value}`,
      () => `(( ${name} = ${name} + 1 ))`,
      () => `: $(( ${name} = ${this.pick(["x", "1", "v", "y+1"])} ))`,
      () => `${name}[${this.pick(["0", "1", "x", "$(zap)0"])}]=${value}`,
      () => `coproc ${name} { echo 1; }`,
      () => `exec {${name}}> o`,
      () => `true & wait -n -p ${name} $!`,
      () => `declare -${this.pick([..."aAilnrtux"])} ${name}=${value}`,
      () => `declare -n r=${name}; ${this.pick(["r", "r+", "r[0]"])}=${value}`,
      () => `f() { local -n r=$1; r=${value}; }; f ${name}`,
      () => `IFS=: read -r ${name} y <<< ${value}`,
      () => `while read -r ${name}; do :; done <<< ${value}`,
      () => `export ${name}; ${name}=${value}`,
      () => `set -a; ${name}=${value}`,
      () => `unset ${name}; ${name}=${value}`,
      () => `${name}=${value} bash -c ${this.#quoted(this.#evaluation(name))}`,
      () => `bash -c ${this.#quoted(this.#set("x", "1"))}`,
      () => `eval ${this.#quoted(`${name}=${this.pick(SUBSCRIPTS)}`)}`,
      () => `printf -v ${this.#quoted(`${name}[0]`)} %s ${value}`,
      () => `printf -v ${name} ${value}`,
      () => `read -ra ${name} <<< ${value}`,
      () => `mapfile -t -O 1 ${name} <<< ${value}`,
      () => `cd ${value}; ${name}=$PWD`,
      () => `f() { ${name}=$1; }; f ${value}`,
      () => `case ${value} in *) ${name}=${value};; esac`,
    ];
    if (this.chance(0.5)) return this.pick(Object.values(WAYS))(name, value);
    return this.pick(more)();
  }

  #evaluation(name) {
    return this.pick([
      () => `: "$${name}"`,
      () => `echo $((${name}))`,
      () => `(( ${name} ))`,
      () => `[[ ${name} -eq 0 ]]`,
      () => `[[ -v ${name} ]]`,
      () => `test -v ${name}`,
      () => `[ "$${name}" -eq 0 ]`,
      () => `test "$${name}" -gt 1`,
      () => `echo \${a[${name}]}`,
      () => `echo \${a[$${name}]}`,
      () => `echo \${!${name}}`,
      () => `echo \${${name}@P}`,
      () => `echo \${${name}@A}`,
      () => `echo \${x:${name}}`,
      () => `declare -i n=${name}`,
      () => `declare -a b="$${name}"`,
      () => `declare ${this.pick(this.#variables)}="$${name}"`,
      () => `${this.pick(this.#variables)}=$${name}`,
      () => `unset "$${name}"`,
      () => `printf -v "$${name}" x`,
      () => `read -r "$${name}" <<< 1`,
      () => `let ${name}`,
      () => `eval "$${name}"`,
      () => `$${name}`,
      () => `set -x; : 1`,
      () => `echo $"hello"`,
      () => `jobs -x "$${name}"`,
      () => `. /dev/stdin <<< "$${name}"`,
      () => `echo 1 | while read -r y; do echo $((y + ${name})); done`,
      () => this.#builtin(name),
    ])();
  }

  /** Any builtin, with options and words of any kind. */
  #builtin(name) {
    const words = [this.pick(this.#builtins)];
    if (this.chance(0.3)) words.unshift(this.pick(["builtin", "command", "builtin --"]));
    if (this.chance(0.1)) words.unshift(`${this.#name()}=${this.#value()}`);
    for (let n = this.below(3); n > 0; n--) {
      words.push(`${this.pick(["-", "-", "-", "+"])}${this.pick(OPTIONS)}`);
    }
    if (this.chance(0.1)) words.push("--");
    for (let n = this.below(4); n > 0; n--) {
      words.push(
        this.pick([
          () => this.#value(),
          () => name,
          () => `"$${name}"`,
          () => `${name}=${this.#value()}`,
          () => "zap",
          () => "a.txt",
          () => this.pick(["%s", "EXIT", "DEBUG", "o", "0", "a", "b"]),
        ])(),
      );
    }
    if (this.chance(0.2)) words.push(`<<< ${this.#value()}`);
    return words.join(" ");
  }

  /** A text that is translated, from the catalogue in the folder. */
  #translated() {
    const folder = this.#set("TEXTDOMAINDIR", "loc");
    const domain = this.#set("TEXTDOMAIN", "m");
    const text = this.pick([
      'echo $"hello"',
      'x=$"hello"',
      "eval 'echo $\"hello\"'",
      ': ${x:-$"hello"}',
    ]);
    return `${folder}${this.pick(ENDS)}${domain}\n${text}`;
  }

  next() {
    if (this.chance(0.03)) return this.#translated();
    const name = this.#name();
    if (this.chance(0.25)) {
      const before = this.chance(0.4) ? this.#set(name, this.#value()) + this.pick(ENDS) : "";
      return before + this.#builtin(name);
    }
    const [before, value] = this.#carried(this.#value());
    let text = before + this.#set(name, value);
    if (this.chance(0.25)) text += this.pick(ENDS) + this.#set(this.#name(), `"$${name}"`);
    if (this.chance(0.6)) text += this.pick(ENDS) + this.#evaluation(name);
    if (this.chance(0.1)) text = `(${text})`;
    if (this.chance(0.05)) text = `f() { ${text}\n}; f ${this.#value()}`;
    return text;
  }
}
