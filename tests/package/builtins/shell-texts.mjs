// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of bash
// Long because a grammar of texts is one list.
// Texts of bash that run the marker `zap`, or seem to: written from a grammar, then changed at random. Words
// come from a closed list, so that no text can do harm.

import { RandomChoices } from "./random-choices.mjs";

const MARKER = "zap";
/** Words that are data, or the commands that are there. */
const NOISE = [
  "echo a",
  "true",
  ":",
  "ls",
  "echo 'zap 0'",
  'echo "b c"',
  "cat a.txt",
  "printf '%s' x",
  "x=1",
  "[ -f a.txt ]",
  "test a = b",
  "false",
  "echo a #b",
  "echo $x",
  'echo "$HOME"',
  "y=$(echo c)",
  "echo ${x:-d}",
  "echo $((1+2))",
];
const BLANKS = [" ", " ", " ", "  ", "\t", " \\\n", "\\\n ", " \t"];
const ENDS = [";", "\n", " ;", ";\n", " &\nwait\n", "&&", "||", "|", "|&", "\n\n", " # c\n"];
/** What is put into a text at a random place. */
const TOKENS = [
  "\\\n",
  "\\\n",
  "\\\n",
  "\\\n",
  "'",
  '"',
  "`",
  "$(",
  ")",
  "(",
  "$'",
  "${",
  "}",
  "{",
  ";",
  "&",
  "|",
  "\n",
  "#",
  " #",
  "\\",
  "\\\\",
  "<<E\n",
  "<<'E'\n",
  "\nE\n",
  "<<-E\n",
  "\\\nE\n",
  "((",
  "))",
  "[[ ",
  " ]]",
  "]",
  "[",
  "case x in x) ",
  ";; esac",
  ";;",
  "if true; then ",
  "; fi",
  "for i in 1; do ",
  "; done",
  "do ",
  "done",
  "then",
  "fi",
  "esac",
  "in ",
  "!",
  "! ",
  "time ",
  "function ",
  "f() ",
  "$",
  '$"',
  "$((",
  "<(",
  ">(",
  ">",
  "<",
  "<<<",
  "2>&1",
  ">&",
  "&>",
  "*",
  "?",
  "~",
  "=",
  "x=",
  "x=(",
  "+=",
  "a[",
  "\t",
  " ",
  "\r",
  "\u0001",
  "\u00a0",
  "é",
  ",",
  "{a,",
  "..",
  "%",
  ":",
  "-",
  "--",
  "@",
  "$@",
  '"$@"',
  "$1",
  "$x",
  "${x}",
  "${!x}",
  "${x@P}",
  "${x:-",
  "eval ",
  "env ",
  "exec ",
  "command ",
  "builtin ",
  "coproc ",
  "xargs ",
  "bash -c ",
  "zap ",
  "zap",
  "echo ",
  "\\'",
  '\\"',
  "\\`",
  "\\$",
  "''",
  '""',
  "$''",
  "''\\\n",
  "=~ ",
  "-eq ",
  "|| ",
  "&& ",
  "-v ",
];

const single = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const double = (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`;

export class ShellTexts extends RandomChoices {
  #count = 0;
  #tokens;

  /** `names` are the variables and builtins of bash. */
  constructor(seed, { variables, builtins }) {
    super(seed);
    const settings = variables.flatMap((name) => [`${name}=`, `${name} `]);
    this.#tokens = [...TOKENS, ...TOKENS, ...settings, ...builtins.map((name) => `${name} `)];
  }

  /** A word in one of its spellings. */
  spelled(word) {
    if (this.chance(0.5)) return word;
    let out = "";
    for (const c of word) {
      const hex = c.charCodeAt(0).toString(16);
      out += this.pick([
        c,
        c,
        c,
        `\\${c}`,
        `'${c}'`,
        `"${c}"`,
        `''${c}`,
        `\\\n${c}`,
        `$'\\x${hex}'`,
        `$'\\x{${hex}}'`,
        `$'\\u00${hex}'`,
        `$'\\U000000${hex}'`,
        `$'\\${c.charCodeAt(0).toString(8)}'`,
        `$"${c}"`,
        `$\\\n'${c}'`,
        `"\\\n${c}"`,
        `$''${c}`,
      ]);
    }
    return out;
  }

  quoted(text) {
    const ansi = () => `$'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;
    return this.pick([single, single, double, ansi])(text);
  }

  blank() {
    return this.pick(BLANKS);
  }

  marker() {
    const name = this.pick([MARKER, MARKER, MARKER, "bin/zap", "./bin//zap"]);
    const args = this.chance(0.8) ? this.blank() + (++this.#count % 1000) : "";
    return this.spelled(name) + args;
  }

  noise() {
    return this.pick(NOISE);
  }

  redirect() {
    return this.pick([
      ">o",
      "2>/dev/null",
      "</dev/null",
      "<a.txt",
      "2>&1",
      ">&2",
      "&>o",
      "{fd}>o",
      "3<a.txt",
      "<<<x",
      ">>o",
      "<>o",
      ">|o",
    ]);
  }

  /** A simple command that runs the marker. */
  simple() {
    let line = this.marker();
    for (let n = this.below(3); n > 0; n--) line = this.wrapped(line);
    if (this.chance(0.15)) line += ` ${this.redirect()}`;
    return line;
  }

  wrapped(line) {
    const wrappers = [
      "A=1",
      "A+=1",
      "a[0]=1",
      "A='x y' B=",
      "env",
      "env -i PATH=$PATH",
      "env -u A",
      "env - PATH=$PATH",
      "env B=2",
      "nohup",
      "nice -n 3",
      "nice -3",
      "nice --adjustment=2",
      "timeout 5",
      "timeout -s TERM 5",
      "timeout -k 1 5s",
      "timeout --preserve-status 5",
      "time",
      "time -p",
      "command",
      "command -p",
      "command --",
      "builtin command",
      "exec",
      "exec -a b",
      "exec -c env PATH=$PATH",
      "stdbuf -oL",
      "stdbuf -o L -e0",
      "setsid",
      "setsid -w",
      "xargs -n1",
      "xargs",
      "xargs -r",
      "xargs -I{}",
      "xargs -P2 -n 1",
      "xargs -d ,",
      "find . -maxdepth 0 -exec",
      "find a.txt -ok",
      "find . -maxdepth 0 -execdir",
      "ionice -c 3",
      "chrt -o 0",
      "taskset 1",
      "taskset -c 0",
      "setarch -R",
      "setarch x86_64",
      "prlimit --nofile=64",
      "flock a.txt",
      "flock -w 1 a.txt",
      "flock -n a.txt -c",
      "env -S",
      "env -vS",
      "bash -c",
      "sh -c",
      "dash -c",
      "bash -ec",
      "bash -O extglob -c",
      "bash +e -c",
      "bash --norc -c",
      "eval",
      "eval --",
      "bash <<<",
      "bash -s <<<",
      "bash /dev/stdin <<<",
      ". /dev/stdin <<<",
      "source /dev/stdin <<<",
      "coproc",
      "!",
      ">o",
      "2>&1",
      "<a.txt",
      "trap --",
      "echo | ",
      "script -qc",
    ];
    const wrapper = this.pick(wrappers);
    const blank = this.blank();
    const spelled = this.chance(0.2) && /^[a-z]+$/.test(wrapper) ? this.spelled(wrapper) : wrapper;
    if (/(?:-c|-ec|<<<|-qc)$/.test(wrapper)) {
      const text = this.quoted(line);
      return wrapper === "script -qc"
        ? `script -qc ${text} /dev/null`
        : `${wrapper}${blank}${text}`;
    }
    if (/^eval|S$/.test(wrapper))
      return `${spelled}${blank}${this.chance(0.5) ? this.quoted(line) : line}`;
    if (/^trap/.test(wrapper))
      return `trap -- ${this.quoted(line)} ${this.pick(["EXIT", "0", "DEBUG", "ERR", "RETURN"])}; false`;
    if (/^find/.test(wrapper))
      return `${wrapper} ${line} ${this.pick(["\\;", "';'", "{} +", "{} \\;", "+ \\;", '";"'])}`;
    if (/^xargs/.test(wrapper))
      return `${this.pick(["echo a |", "<a.txt", "printf 'a b' |"])} ${spelled}${blank}${line}`;
    return `${spelled}${blank}${line}`;
  }

  /** A value in which there is code for arithmetic, for `eval`, or for a prompt. */
  subscript() {
    const code = this.pick([`$(${this.marker()})`, "`zap 5`", "$(zap 6)0", "$(bin/zap)"]);
    return this.pick([
      `a[${code}]`,
      `a[0${code}]`,
      `x[${code}]`,
      `b[a[${code}]]`,
      `a[$(zap 7)]=1`,
      `1+a[${code}]`,
      `a[${code}],1`,
    ]);
  }

  /** Gives a variable a value. */
  set(name, value) {
    const q = this.quoted(value);
    return this.pick([
      () => `${name}=${q}`,
      () => `${name}=${q}`,
      () => `read -r ${name} <<< ${q}`,
      () => `IFS= read -r ${name} <<'E'\n${value}\nE\n:`,
      () => `printf -v ${name} %s ${q}`,
      () => `printf -v ${name} ${q}`,
      () => `mapfile -t ${name} <<< ${q}`,
      () => `readarray -t ${name} < <(echo ${q})`,
      () => `declare ${name}=${q}`,
      () => `export ${name}=${q}`,
      () => `typeset -g ${name}=${q}`,
      () => `declare -n r=${name}; r=${q}`,
      () => `declare -n r=${name}; read -r r <<< ${q}`,
      () => `${name}=$(echo ${q})`,
      () => `: \${${name}:=${q}}`,
      () => `: "\${${name}=${value.replaceAll("$", "\\$").replaceAll("`", "\\`")}}"`,
      () => `w=${q}; ${name}=$w`,
      () => `w=(${q}); ${name}=\${w[0]}`,
      () => `eval ${name}='$w'; w=${q}; eval ${name}='$w'`,
      () => `for ${name} in ${q}; do :; done`,
      () => `select ${name} in ${q}; do break; done <<< 1`,
      () => `readonly ${name}=${q}`,
      () => `${name}+=${q}`,
      () => `set -- ${q}; ${name}=$1`,
      () => `getopts a: ${name} -a ${q}; ${name}=$OPTARG`,
      () => `f() { ${name}=$1; }; f ${q}`,
      () => `f() { local -n l=$1; l=$2; }; f ${name} ${q}`,
      () => `[[ ${q} =~ (.*) ]]; ${name}=\${BASH_REMATCH[1]}`,
      () => `: ${q}; ${name}=$_`,
      () => `read -ra w <<< ${q}; ${name}="\${w[*]}"`,
      () => `coproc printf '%s\\n' ${q}; read -r ${name} <&"\${COPROC[0]}"`,
      () => `while read -r ${name}; do break; done <<< ${q}`,
      () => `echo ${q} >o; read -r ${name} <o`,
      () => `echo ${q} >o; ${name}=$(<o)`,
      () => `shopt -s lastpipe; echo ${q} | read -r ${name}`,
      () => `exec 7<<< ${q}; read -r -u 7 ${name}`,
      () => `declare -A m=([k]=${q}); ${name}=\${m[k]}`,
      () =>
        `${name}=x; ${name}=\${${name}/x/${value.replaceAll("$", "\\$").replaceAll("`", "\\`").replaceAll("/", "\\/")}}`,
    ])();
  }

  /** Uses a variable where its value is evaluated. */
  evaluated(name) {
    const [first, rest] = [name.slice(0, 1), name.slice(1)];
    return this.pick([
      // A name that is put together.
      `q=${name}y; echo $(( \${q%y} ))`,
      `q=x${name}; (( \${q:1} ))`,
      `q=x${name}; y=\${q/x/}; let y`,
      `q=${first}; echo $(( \${q}${rest} ))`,
      `q=; [[ $q${name} -eq 1 ]]`,
      `q=${first}; q+=${rest}; ((q))`,
      `q=${first}; declare q+=${rest}; declare -i i=q`,
      `q=(${first} ${rest}); IFS=; echo $((\${q[*]}))`,
      `q=(${first} ${rest}); a[\${q[0]}\${q[1]}]=1`,
      `echo $(( "${first}"${rest} ))`,
      `((${name}))`,
      `echo $((${name}))`,
      `echo $(( ${name} + 1 ))`,
      `echo $[${name}]`,
      `(( $${name} ))`,
      `let ${name}`,
      `let "$${name}"`,
      `let y=${name}`,
      `[[ $${name} -eq 0 ]]`,
      `[[ ${name} -lt 3 ]]`,
      `[[ -v $${name} ]]`,
      `[[ 0 -ge "$${name}" ]]`,
      `test -v "$${name}"`,
      `[ -v "$${name}" ]`,
      `echo \${!${name}}`,
      `echo "\${!${name}}"`,
      `echo \${PATH:${name}}`,
      `echo \${PATH:0:${name}}`,
      `echo "\${PATH:$${name}:1}"`,
      `a=(1); echo \${a[${name}]}`,
      `a=(1); echo \${a[$${name}]}`,
      `a[${name}]=1`,
      `a[$${name}]=1`,
      `a=([${name}]=1)`,
      `unset "$${name}"`,
      `unset 'a[${name}]'`,
      `a=(1); unset "a[$${name}]"`,
      `read "$${name}" <<< 1`,
      `printf -v "$${name}" 1`,
      `mapfile "$${name}" <<< 1`,
      `declare "$${name}"`,
      `declare "$${name}=1"`,
      `export "$${name}=1"`,
      `declare -i i; i=$${name}`,
      `declare -i i=$${name}`,
      `declare -i i=${name}`,
      `local "$${name}=1"`,
      `f() { local "$${name}=1"; }; f`,
      `f() { local -i i=$1; }; f "$${name}"`,
      `declare -n q=$${name}; echo $q`,
      `declare -n q="$${name}"; q=1`,
      `for ((i=${name}; i<1; i++)); do break; done`,
      `for (( ; ${name}; )); do break; done`,
      `f() { (( $1 )); }; f "$${name}"`,
      `f() { echo $(( $1 )); }; f "$${name}"`,
      `set -- "$${name}"; echo $(($1))`,
      `set -- "$${name}"; echo \${!1}`,
      `getopts a "$${name}" -a`,
      `wait -n -p "$${name}"`,
      `echo $(( \${${name}} ))`,
      `echo $((a[${name}]))`,
      `typeset -i i=${name}`,
      `echo \${a[@]:${name}}`,
      `: \${a[${name}]:=1}`,
      `echo \${#a[${name}]}`,
      `z=${name}; ((z))`,
      `z=${name}; echo \${!z}; ((\${!z}))`,
      `exec {a[${name}]}>o`,
      `exec {${name}}>o`,
      `test "$${name}" -eq 0 -o -v "$${name}"`,
      `[[ ${name} -eq 1 || a == b ]]`,
      `declare -p "$${name}"`,
      `echo \${${name}@A}`,
      `[ -R "$${name}" ]`,
      `readonly "$${name}=1"`,
    ]);
  }

  /** Runs a variable whose value is a command. */
  run(name) {
    return this.pick([
      `$${name}`,
      `\${${name}}`,
      `eval $${name}`,
      `eval "$${name}"`,
      `bash -c "$${name}"`,
      `sh -c "$${name}"`,
      `trap "$${name}" EXIT`,
      `bash <<< "$${name}"`,
      `. <(echo "$${name}")`,
      `source /dev/stdin <<< "$${name}"`,
      `env $${name}`,
      `nohup $${name}`,
      `command $${name}`,
      `exec $${name}`,
      `echo a | xargs $${name}`,
      `find . -maxdepth 0 -exec $${name} \\;`,
      `set -- $${name}; "$@"`,
      `f() { "$@"; }; f $${name}`,
      `f() { $1 2; }; f $${name}`,
      `\${${name}[@]}`,
      `env -S "$${name}"`,
      `echo "$${name}" | bash`,
      `echo $${name} | xargs env`,
      `mapfile -C "$${name};:" -c 1 m <<< a`,
      `shopt -s expand_aliases; alias k="$${name}"\nk`,
      `BASH_ALIASES[k]=$${name}; shopt -s expand_aliases\nk`,
      `time $${name}`,
      `! $${name}`,
      `coproc $${name}`,
      `timeout 3 $${name}`,
      `printf '%s' "$${name}" | xargs -I% sh -c %`,
      `bash -c "$(echo "$${name}")"`,
      `PS4="\\$($${name})"; set -x; :`,
      `echo "\${p@P}"; p="\\$($${name})"; echo "\${p@P}"`,
      `PROMPT_COMMAND=$${name}`,
      `trap -- "$${name}" DEBUG; :`,
      `trap "$${name}" ERR; false`,
      `f() { :; }; trap "$${name}" RETURN; f`,
      `bash -c '$0 $1' $${name}`,
      `bash -c '"$@"' _ $${name}`,
      `xargs -a <(echo "$${name}") env`,
      `find . -maxdepth 0 -exec sh -c "$${name}" \\;`,
      `BASH_CMDS[k]=$${name}; k 2`,
      `hash -p bin/zap k; k`,
      `command_not_found_handle() { $${name}; }; nosuch`,
      `compgen -W '$('"$${name}"')'`,
      `complete -C "$${name}" k; compgen -C "$${name}"`,
      `exec 7<<< "$${name}"; bash <&7`,
      `enable -n echo; $${name}`,
    ]);
  }

  /** A line that runs the marker, or seems to. */
  line(depth) {
    if (depth <= 0 || this.chance(0.1)) return this.simple();
    const inner = () => this.line(depth - 1);
    const some = () => (this.chance(0.5) ? this.noise() : inner());
    const end = () => this.pick(["\n", ";", " ;", "; "]);
    const d = this.pick(["E", "E", "EOF", "X1", "F"]);
    return this.pick([
      () => this.noise() + this.pick(ENDS) + inner(),
      () => inner() + this.pick(ENDS) + this.noise(),
      () => `{${this.blank()}${inner()}${end()}}`,
      () => `(${inner()})`,
      () => `((${inner()}) )`,
      () => `( (${inner()}) )`,
      () => `if ${some()}${end()}then ${inner()}${end()}fi`,
      () => `if ${inner()}${end()}then ${some()}${end()}else ${some()}${end()}fi`,
      () => `while ${inner()}${end()}do break${end()}done`,
      () => `until ${this.noise()}${end()}do ${inner()}${end()}break; done`,
      () => `for i in a${end()}do ${inner()}${end()}done`,
      () => `for i in "${this.substituted(inner())}"; do :; done`,
      () => `for ((i=0; i<1; i++)); do ${inner()}${end()}done`,
      () => `for ((i=0;i<1;i++)) { ${inner()}${end()}}`,
      () => `for i in a; { ${inner()}${end()}}`,
      () => `for i\nin a\ndo ${inner()}\ndone`,
      () => `select i in a; do ${inner()}${end()}break; done <<< 1`,
      () => `case a in a) ${inner()} ;; esac`,
      () => `case a in (b|a) ${inner()}\n;; *) :; esac`,
      () => `case a in b) :;& *) ${inner()};; esac`,
      () => `case a\nin\na) ${inner()};;&\n*) :\nesac`,
      () => `case ${this.substituted(inner())} in x) ;; esac`,
      () => `case in in in) ${inner()};; esac`,
      () => `f() { ${inner()}${end()}}; f`,
      () => `f()\n{ ${inner()}${end()}}\nf`,
      () => `function f { ${inner()}${end()}}; f`,
      () => `function f() ( ${inner()} ); f`,
      () => `f() case a in a) ${inner()};; esac; f`,
      () => `f() if true; then ${inner()}${end()}fi; f`,
      () => `f() { ${inner()}${end()}} <<E\nx\nE\nf`,
      () => `! ${inner()}`,
      () => `time ${inner()}`,
      () => `[[ a == a ]] && ${inner()}`,
      () => `[[ ${this.substituted(inner())} == b ]]`,
      () => `[[ a =~ ^(a|b)$ ]]; ${inner()}`,
      () => `[[ a =~ [[:space:]]*(a) && -n b ]]; ${inner()}`,
      () => `[[ ( a = b || ! -z c ) && d < e ]]; ${inner()}`,
      () => `((1)) && ${inner()}`,
      () => `(( x = ${this.substituted(inner())} 0 ))`,
      () => `coproc { ${inner()}${end()}}; wait`,
      () => `echo ${this.substituted(inner())}`,
      () => `echo "${this.substituted(inner())}"`,
      () => `echo "a ${this.substituted(inner())} b" c`,
      () => `x=${this.substituted(inner())}`,
      () => `x="${this.substituted(inner())}" :`,
      () => `x=(a ${this.substituted(inner())} b)`,
      () => `x=([1]=${this.substituted(inner())} # )\n3)`,
      () => `x[${this.substituted(inner())}0]=1`,
      () => `echo \${x:-${this.substituted(inner())}}`,
      () => `echo "\${x:=${this.substituted(inner())}}"`,
      () => `echo \${x:-'}'}; ${inner()} #'}`,
      () => `echo "\${x:-'}"; ${inner()} #'}"`,
      () => `echo \${x:-"}"}; ${inner()}`,
      () => `echo "\${x:-"}"; ${inner()} #"}"`,
      () => `echo \${PATH#${this.substituted(inner())}}`,
      () => `echo \${PATH//${this.substituted(inner())}/}`,
      () => `echo \${a[${this.substituted(inner())}0]}`,
      () => `echo $(( 1 + ${this.substituted(inner())} 0 ))`,
      () => `echo $((${inner()}) )`,
      () => `echo $( (${inner()}) )`,
      () => `echo >${this.substituted(inner())}o`,
      () => `echo {a,${this.substituted(inner())}}`,
      () => `cat <(${inner()})`,
      () => `echo a > >(${inner()}); wait`,
      () => `cat <<< "${this.substituted(inner())}"`,
      () => `cat <<${d}\na ${this.substituted(inner())}\n${d}`,
      () => `cat <<-${d}\n\ta ${this.substituted(inner())}\n\t${d}`,
      () => `cat <<'${d}'\na\\\n${d}\n${inner()}`,
      () => `cat <<${d}\na\\\n${d}\n${inner()}\n${d}`,
      () => `cat <<${d}\n${d.slice(0, 1)}\\\n${d.slice(1)}\n${inner()}\n${d}`,
      () => `cat <<\\${d}\n${d}\n${inner()}`,
      () => `cat <<"${d}"\n$(\n${d}\n${inner()}`,
      () => `cat <\\\n<${d}\nx\n${d}\n${inner()}`,
      () => `cat <<${d}; ${inner()}\nx\n${d}`,
      () => `cat <<${d} <<Y\nx\n${d}\ny\nY\n${inner()}`,
      () => `echo $(cat <<${d}\na\n${d}\n); ${inner()}`,
      () => `echo $(cat <<${d}\n${d} ${inner()})\n${d}\n)`,
      () => `echo "$(cat <<${d}\nb\n${d} ${inner()})"\n${d}\n)"`,
      () => `echo $(${inner()} # )\n)`,
      () => `echo $(# )\n${inner()}\n)`,
      () => `echo \`${inner().replace(/[\\`]/g, "\\$&")} # a\``,
      () => `echo $(case a in a) ${inner()};; esac)`,
      () => `echo $(case a in (a) ${inner()};; esac)`,
      () => `cat <<'$(x)'\n$(x)\n${inner()}`,
      () => `cat <<$(x)\n$(x)\n${inner()}`,
      () => `cat <<\`e\`\nx\n\`e\`\n${inner()}`,
      () => `cat <<${d} | bash\n${inner()}\n${d}`,
      () => `bash <<'${d}'\n${inner()}\n${d}`,
      () => `bash -c ${this.quoted(inner())}`,
      () => `eval ${this.quoted(inner())}`,
      () => `eval "$(echo ${this.quoted(inner())})"`,
      () => `trap ${this.quoted(inner())} EXIT`,
      () => `env -S ${this.quoted("zap\\_26")}`,
      () => `env 'BASH_FUNC_ls%%=() { ${inner()}${end()}}' bash -c ls`,
      () => `shopt -s expand_aliases; alias k=${this.quoted(inner())}\nk`,
      () => `shopt -s expand_aliases\nalias k='env '\nk ${inner()}`,
      () => `shopt -s expand_aliases extglob\nalias k=env e='echo '\ne k; k ${inner()}`,
      () => `shopt -s extglob\necho @(a|b); ${inner()}`,
      () => `shopt -s expand_aliases; BASH_ALIASES[k]=${this.quoted(inner())}\nk`,
      () => `echo $'\\c' ; ${inner()} #'`,
      () => `echo $'a\\'b' ; ${inner()} #'`,
      () => `echo '\\'; ${inner()} # '`,
      () => `echo a\\\\; ${inner()}`,
      () => `echo "a\\\\"; ${inner()} # "`,
      () => `echo a # b\\\n${inner()}`,
      () => `echo a\\\n#b; ${inner()}`,
      () => `echo a\r\n${inner()}`,
      () => `${this.set("PS4", `$(${this.marker()})`)}; set -x; :`,
      () => `${this.set("BASH_ENV", "/dev/fd/9")}; export BASH_ENV; bash -c : 9<<< 'zap 2'`,
      () => `BASH_ENV='$(zap 3)' bash -c :`,
      () => `${this.set("v", this.subscript())}; ${this.evaluated("v")}`,
      () => `${this.set("v", this.subscript())}; ${this.evaluated("v")}`,
      () => `${this.set("v", this.subscript())}\n${this.evaluated("v")}`,
      () => `${this.set("v", "zap 4")}; ${this.run("v")}`,
      () => `${this.set("v", "zap")}; ${this.run("v")}`,
      () => `${this.set("v", "v2")}; v2=${this.quoted(this.subscript())}; ${this.evaluated("v")}`,
      () => `${this.set("p", `$(${this.marker()})`)}; echo "\${p@P}"`,
      () => `declare -i i=${this.quoted(this.subscript())}`,
      () => `let ${this.quoted(this.subscript())}`,
      () => `unset ${this.quoted(this.subscript())}`,
      () => `test -v ${this.quoted(this.subscript())}`,
      () => `read ${this.quoted(this.subscript())} <<< 1`,
      () => `echo \${${this.subscript()}}`,
      () => `printf -v ${this.quoted(this.subscript())} 1`,
      () => `[[ ${this.quoted(this.subscript())} -eq 1 ]]`,
      () => `[[ -v ${this.quoted(this.subscript())} ]]`,
      () => `(( ${this.quoted(this.subscript())} ))`,
      () => `echo $(( ${this.subscript()} ))`,
      () => `${this.subscript().replace(/[=,].*/, "")}=1`,
      () => `cat <<E\n$((${this.subscript()}))\nE`,
      () => `HOME=zap; ~`,
      () => `HOME=bin/zap; ~ 1`,
      () => `OLDPWD=zap; ~-`,
      () => `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!zap 74' git x`,
      () => `git -c alias.x='!${inner().replaceAll("'", "'\\''")}' x`,
      () => `SHELL=bin/zap script -qc a /dev/null`,
      () => `set -o history; history -s zap 1; fc -s`,
      () => `echo ${this.quoted("-exec zap 1 ;")} | xargs find . -maxdepth 0`,
      () => `f() { find . -maxdepth 0 "$@"; }; f -exec zap 1 \\;`,
      () => `e=-exec; t=\\;; find . -maxdepth 0 "$e" zap "$t"`,
      () => `o=-n; declare $o r=PS4; r='$(zap)'; set -x; :`,
      () => `o=PS4; read $o <<< '$(zap)'; set -x; :`,
      () => `o=-v; printf $o PS4 '$(zap)'; set -x; :`,
      () => `read -aPS4 <<< '$(zap)'; set -x; :`,
      () => `printf -vPS4 '$(zap)'; set -x; :`,
      () => `shopt -s expand_aliases; a=k=zap; alias "$a"\nk`,
      () => `a=(1); v=${this.quoted(`([${"$(zap)"}]=1)`)}; declare "a=$v"`,
      () => `v='([$(zap)]=1)'; f() { local -a b="$v"; }; f`,
      () => `declare -a 'c=([$(zap)]=1)'`,
      () => `sh -c ${this.quoted(`echo $'\\'; ${inner()} #'`)}`,
      () => `sh -c ${this.quoted(`((${inner()}))`)}`,
      () => `sh -c ${this.quoted(`[[ -f x || ${inner()} ]]`)}`,
      () => `dash -c ${this.quoted(inner())}`,
      () => `sh <<'S'\n${inner()}\nS`,
      () => `x='$(zap 1)'; echo hi >& "$x"`,
      () => `x=$(>o ${this.pick(["!", "time", "{", "if", "coproc"])} ${inner()})`,
      () => `cd /dev; . stdin <<< ${this.quoted(inner())}`,
      () => `bash -c -- ${this.quoted(inner())}`,
      () => `bash -ceu ${this.quoted(inner())}`,
      () => `bash -co pipefail ${this.quoted(inner())}`,
      () => `bash +O extglob -c ${this.quoted(inner())}`,
      () => `env --chdir=. ${inner()}`,
      () => `env -u A -- ${inner()}`,
      () => `env -S ${this.quoted(`-u A ${inner()}`)}`,
      () => `x=--foreground; timeout "$x" 5 ${inner()}`,
      () => `x=; timeout $x 5 ${inner()}`,
      () => `xargs -I% timeout % 5 ${inner()} <<< --foreground`,
      () => `a() { ${inner()}; }; b() { a; }; b`,
      () => `export x=${this.quoted(inner())}; bash -c 'eval "$x"'`,
      () => `f() { eval "$1"; }; f ${this.quoted(inner())}`,
      () => `f() { for i; do $i; done; }; f ${this.quoted(inner())}`,
      () => `x=(zap 1); "\${x[@]}"`,
      () => `x=z; y=ap; $x$y`,
      () => `x=ap; z$x`,
      () => `z""a$(:)p`,
      () => `$(echo zap)`,
      () => `"$(printf zap)" 1`,
      () => `z\\ap | cat`,
      () => `\\zap`,
      () => `if true; then ${inner()}\nfi | cat`,
      () => `{ ${inner()}; } 2>&1 | { cat; }`,
      () => `true && { false || ${inner()}; }`,
      () => `while read -r l; do ${inner()}; done < a.txt`,
      () => `cat <<E | while read -r l; do $l; done\n${inner()}\nE`,
      () => `exec 3<<E; . /dev/fd/3\n${inner()}\nE`,
      () => `cat <<A; cat <<B\n$(${inner()})\nA\nx\nB`,
      () => `cat <<A $(cat <<B\nb\nB\n)\na\nA\n${inner()}`,
      () => `echo "$(cat <<'A'\n"\nA\n)"; ${inner()}`,
      () => `echo "\${x:-$(cat <<A\n}\nA\n)}"; ${inner()}`,
      () => `: <<A\n\\$(zap)\n\\\\$(${inner()})\nA`,
      () => `: <<A\n"$(${inner()})"\nA`,
      () => `: <<A\n\${x:-"$(${inner()})"}\nA`,
      () => `: <<A\n\`${inner().replace(/[\\`]/g, "\\$&")}\`\nA`,
      () => `echo \${x/$(${inner()})/}\${x:-\${y:-$(${inner()})}}`,
      () => `echo $(( $(${inner()}) + 1 ))`,
      () => `(( $(echo ${this.quoted(this.subscript())}) ))`,
      () => `[[ $(echo ${this.quoted(this.subscript())}) -eq 1 ]]`,
      () => `echo \${PATH:$(echo ${this.quoted(this.subscript())})}`,
      () => `for v in ${this.quoted(this.subscript())}; do ${this.evaluated("v")}; done`,
      () => `v=${this.quoted(this.subscript())}; w=v; ${this.evaluated("w")}`,
      () => `v='a['; w='$(zap)]'; x=$v$w; ${this.evaluated("x")}`,
      () => `x=$'a[\\x24(zap)]'; ${this.evaluated("x")}`,
      () => `x='a[\\44(zap)]'; x=\${x@E}; ${this.evaluated("x")}`,
      () => `{zap,1}`,
      () => `z{ap,b} 1`,
      () => `za? 1`,
      () => `bin/z* 1`,
      () => `bin/[z]ap`,
      () => `echo bin/zap | xargs -n1 env`,
      () => `xargs -I{} sh -c '{}' <<< ${this.quoted(inner())}`,
      () => `x=${this.quoted(inner())} bash -c 'eval "$x"'`,
      () => `x=${this.quoted(this.subscript())} bash -c 'echo $((x))'`,
      () => `bash -c 'echo $(($1))' _ ${this.quoted(this.subscript())}`,
      () => `bash -c '$1 2' _ zap`,
      () => `bash -c 'f() { "$@"; }; f "$@"' _ zap 1`,
    ])();
  }

  substituted(line) {
    const open = this.pick(["$(", "$(", "$\\\n(", "$( "]);
    if (this.chance(0.25)) return `\`${line.replace(/[\\`]/g, "\\$&")}\``;
    return `${open}${line})`;
  }

  changed(text) {
    const at = this.below(text.length + 1);
    switch (this.below(8)) {
      case 0:
      case 1:
      case 2:
        return text.slice(0, at) + this.pick(this.#tokens) + text.slice(at);
      case 3:
        return `${text.slice(0, at)}\\\n${text.slice(at)}`;
      case 4:
        return text.slice(0, at) + text.slice(at + 1 + this.below(3));
      case 5: {
        const piece = text.slice(at, at + 1 + this.below(8));
        const to = this.below(text.length + 1);
        return text.slice(0, to) + piece + text.slice(to);
      }
      case 6: {
        const to = Math.min(text.length, at + 1 + this.below(20));
        return `${text.slice(0, at)}${this.quoted(text.slice(at, to))}${text.slice(to)}`;
      }
      default:
        return text.slice(0, at) + text.slice(at, at + 1) + text.slice(at);
    }
  }

  next() {
    let text = this.line(1 + this.below(3));
    if (this.chance(0.2)) text = this.noise() + this.pick(ENDS) + text;
    if (this.chance(0.6)) for (let n = 1 + this.below(4); n > 0; n--) text = this.changed(text);
    return text.slice(0, 2000).replaceAll("\0", "");
  }
}
