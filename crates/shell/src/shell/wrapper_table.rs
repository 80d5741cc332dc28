//! The programs that run what their arguments say, and their options.

/// How a wrapper's arguments are read. An option that is not here makes it opaque.
pub(super) struct Wrapper {
    pub(super) name: &'static str,
    /// Short options without a value.
    pub(super) flags: &'static str,
    /// Short options that have a value.
    pub(super) short: &'static str,
    /// Short options whose value may only be attached.
    pub(super) attached: &'static str,
    /// The short option whose value is a bash command line, and long ones.
    pub(super) text: &'static str,
    /// Long options, with `=` behind those that have a value, also as the next word.
    pub(super) long: &'static str,
    /// The number of words between options and command.
    pub(super) operands: usize,
    pub(super) behind: Behind,
}

impl Wrapper {
    /// The ways to read the arguments of a program; none if it is no wrapper.
    pub(super) fn all(name: &str) -> impl Iterator<Item = Wrapper> {
        ROWS.iter().filter_map(move |row| {
            let known = row.short.get(..name.len()).filter(|known| *known == name)?;
            let mut fields = row.short.get(name.len()..)?.strip_prefix('|')?.split('|');
            let mut next = || fields.next().unwrap_or_default();
            let [flags, short, attached, text] = [next(), next(), next(), next()];
            let (operands, behind) = (row.operands, row.behind);
            Some(Wrapper {
                name: known,
                flags,
                short,
                attached,
                text,
                long: row.long,
                operands,
                behind,
            })
        })
    }
}

/// One way to read the arguments of a wrapper, written tightly.
struct WrapperRow {
    /// Name, flags, short options with a value, those with an attached one, options whose value is a text.
    short: &'static str,
    long: &'static str,
    operands: usize,
    behind: Behind,
}

/// What stands behind options and operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Behind {
    /// A command.
    Command,
    /// A command; without one it runs a shell that reads its input.
    Shell,
    /// Words that are joined and read as bash.
    Text,
    /// No command, and without a text it runs a shell.
    OnlyText,
    /// Nothing that runs.
    Nothing,
}

use Behind::{Command, Nothing, OnlyText, Shell, Text};

const fn row(
    short: &'static str,
    long: &'static str,
    operands: usize,
    behind: Behind,
) -> WrapperRow {
    WrapperRow { short, long, operands, behind }
}

/// So many operands that no command follows.
const ALL: usize = usize::MAX;

const ROWS: &[WrapperRow] = &[
    row("env|i0v|uCa||S split-string", ENV, 0, Command),
    row("sudo|ABbEeHKklNnPSVv|CDghpRrTtUuac||", SUDO, 0, Command),
    row("sudo|ABbEeHKklNnPSVvis|CDghpRrTtUuac||", SUDO, 0, Shell),
    row("doas|Lns|uCa||", "", 0, Shell),
    row("timeout|fpv|ks||", TIMEOUT, 1, Command),
    row("nice|0123456789|n||", " adjustment= ", 0, Command),
    row("ionice|t|cnpPu||", " ignore class= classdata= pid= pgid= uid= ", 0, Command),
    row("nohup||||", "", 0, Command),
    row("time|apqvV|fo||", TIME, 0, Command),
    row("coproc||||", "", 0, Command),
    row("command|pvV|||", "", 0, Command),
    row("builtin||||", "", 0, Command),
    row("exec|cl|a||", "", 0, Command),
    row("xargs|0oprtx|adEILnPs|eil|", XARGS, 0, Command),
    row("stdbuf||ioe||", " input= output= error= ", 0, Command),
    row("setsid|cfw|||", " ctty fork wait ", 0, Command),
    row("busybox||||", "", 0, Command),
    row("toybox||||", "", 0, Command),
    row("chroot||||", " userspec= groups= skip-chdir ", 1, Shell),
    row("chrt|abdfimoprRv|TPD||", CHRT, 1, Command),
    // The priority may be left out.
    row("chrt|abdfimoprRv|TPD||", CHRT, 0, Command),
    row("taskset|acp|||", " all-tasks cpu-list pid ", 1, Command),
    row("flock|sxeunoFv|wE||c command", FLOCK, 1, Command),
    row("unbuffer|p|||", "", 0, Command),
    row("caffeinate|dimsu|tw||", "", 0, Command),
    row("strace|cCdfFiknqrtTvwxyYzZD|abeEIoOpPsSuUX||", "", 0, Command),
    row("ltrace|bcCfiLrStTV|aeFlnopsux||", "", 0, Command),
    row("systemd-run|dGPqSTVr|pEuMtH||", SYSTEMD_RUN, 0, Shell),
    row("setpriv|d|||", SETPRIV, 0, Command),
    row("choom||np||", " adjust= pid= ", 0, Command),
    row("uclampset|asRv|mMp||", UCLAMPSET, 0, Command),
    row("ld.so||||", LOADER, 0, Command),
    row("split|deuxz0123456789|abClnt|| filter", SPLIT, ALL, Nothing),
    row("su|lmpPfT|gGsw||c command session-command", SU, ALL, OnlyText),
    row("runuser|lmpPfT|gGswu||c command session-command", SU, ALL, Nothing),
    row("runuser|lmpPfT|uGgsw||c command session-command", SU, 0, Shell),
    row("sg||||c", "", 1, Text),
    row("unshare|imnpuUCTfrc|SGRwl||", UNSHARE, 0, Shell),
    row("nsenter|aZFre|tSG|muinpUCTW|", NSENTER, 0, Shell),
    // The name of the machine may be left out.
    row("setarch|BFILRSTXZv3|p||", SETARCH, 0, Shell),
    row("setarch|BFILRSTXZv3|p||", SETARCH, 1, Shell),
    row("linux32|BFILRSTXZv3|p||", SETARCH, 0, Shell),
    row("prlimit||po|cdefilmnqrstuvxy|", PRLIMIT, 0, Command),
    row("fakeroot|u|lisbc||", " lib= faked= unknown-is-real ", 0, Shell),
    row("dbus-run-session||||", " config-file= dbus-daemon= ", 0, Command),
    row("pkexec||u||", " user= disable-internal-agent keep-cwd ", 0, Shell),
    row("ssh-agent|csDdkTu|aEOPt||", "", 0, Command),
    row("xvfb-run|al|efnpsw||", XVFB, 0, Command),
    row("script|aefq|EIOBTmo|t|c command", SCRIPT, ALL, OnlyText),
    row("mapfile|t|dnOsuc||C", "", ALL, Nothing),
    row("readarray|t|dnOsuc||C", "", ALL, Nothing),
    row("eval||||", "", 0, Text),
    row("watch|bcdegptxwrCf|nqs||", WATCH, 0, Text),
    row("parallel|0kqtvX|jaISN||", PARALLEL, 0, Text),
];
const ENV: &str = " ignore-environment null debug block-signal default-signal ignore-signal \
list-signal-handling unset= chdir= argv0= ";
const SUDO: &str = " askpass background bell edit preserve-env set-home login remove-timestamp \
reset-timestamp list non-interactive preserve-groups stdin shell validate version no-update user= group= \
host= prompt= close-from= chdir= chroot= role= type= other-user= command-timeout= login-class= auth-type= ";
const TIMEOUT: &str = " foreground preserve-status verbose kill-after= signal= ";
const TIME: &str = " append portability quiet verbose version format= output= ";
const XARGS: &str = " null open-tty interactive no-run-if-empty verbose exit show-limits eof replace \
max-lines arg-file= delimiter= max-args= max-procs= max-chars= process-slot-var= ";
const CHRT: &str = " all-tasks batch deadline fifo idle other rr max pid reset-on-fork verbose \
sched-runtime= sched-period= sched-deadline= ";
const FLOCK: &str = " shared exclusive unlock nonblock nb close no-fork verbose timeout= wait= \
conflict-exit-code= ";
const SYSTEMD_RUN: &str = " scope user system pty pipe quiet wait collect no-block same-dir shell \
remain-after-exit send-sighup no-ask-password expand-environment= unit= property= setenv= slice= \
description= service-type= uid= gid= nice= working-directory= host= machine= on-active= on-boot= \
on-calendar= timer-property= ";
const SETPRIV: &str = " dump nnp no-new-privs clear-groups keep-groups init-groups reset-env reuid= regid= \
ruid= euid= rgid= egid= groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig= \
selinux-label= apparmor-profile= ";
const UCLAMPSET: &str = " all-tasks system reset-on-fork verbose pid= util-min= util-max= ";
const LOADER: &str = " verify list help version inhibit-cache list-tunables list-diagnostics library-path= \
inhibit-rpath= audit= preload= argv0= glibc-hwcaps-prepend= glibc-hwcaps-mask= ";
const SPLIT: &str = " numeric-suffixes hex-suffixes elide-empty-files unbuffered verbose suffix-length= \
additional-suffix= bytes= line-bytes= lines= number= separator= ";
const SU: &str = " login preserve-environment fast pty no-pty group= supp-group= shell= \
whitelist-environment= user= ";
const UNSHARE: &str = " mount uts ipc net pid user cgroup time fork kill-child mount-proc map-root-user \
map-current-user map-auto keep-caps mount-binfmt root= wd= setuid= setgid= map-user= map-group= map-users= \
map-groups= propagation= setgroups= monotonic= boottime= ";
const NSENTER: &str = " all mount uts ipc net pid user cgroup time no-fork follow-context \
preserve-credentials root wd wdns env target= setuid= setgid= ";
const SETARCH: &str = " addr-no-randomize fdpic-funcptrs short-inode addr-compat-layout read-implies-exec \
32bit mmap-page-zero sticky-timeouts whole-seconds addr-max-4gb 4gb 3gb verbose list uname-2.6 pid= ";
const PRLIMIT: &str = " core data nice fsize sigpending memlock rss nofile msgqueue rtprio rttime stack cpu \
nproc as locks noheadings raw verbose pid= output= ";
const XVFB: &str = " auto-servernum listen-tcp error-file= auth-file= server-num= server-args= ";
const SCRIPT: &str = " append return flush force quiet timing echo= log-in= log-out= log-io= log-timing= \
logging-format= output-limit= ";
const WATCH: &str = " beep color no-color differences errexit chgexit precise no-title no-wrap exec \
interval= equexit= shotsdir= ";
const PARALLEL: &str = " keep-order quote jobs= arg-file= colsep= delay= joblog= timeout= ";
pub(super) const SHELLS: &str = "bash sh zsh dash ksh mksh ash rbash fish";
/// Other names of `linux32`.
pub(super) const MACHINES: &str = "linux64 x86_64 i386 i486 i586 i686 uname26 aarch64 arm64 armv7l armv8l ppc ppc32 \
ppc64 ppc64le s390 s390x mips mips64 sparc sparc64 riscv64";
