//! Options that stand before a subcommand: `kubectl -n prod delete` is a `kubectl delete`.

use super::letters::{begins, is_listed, until};
use super::word::ShellWord;

/// The options of a program that may stand before a subcommand.
struct Globals {
    name: &'static str,
    /// Short ones that have a value.
    short: &'static str,
    /// Long ones that have a value, also those of one hyphen.
    long: &'static str,
    /// Those without one, of both kinds.
    flags: &'static str,
}

const fn row(
    name: &'static str,
    short: &'static str,
    long: &'static str,
    flags: &'static str,
) -> Globals {
    Globals { name, short, long, flags }
}

const TABLE: &[Globals] = &[
    row("git", "Cc", GIT, GIT_FLAGS),
    row("kubectl", "nsv", KUBECTL, KUBECTL_FLAGS),
    row("docker", "Hcl", DOCKER, DOCKER_FLAGS),
    row("podman", "Hcl", DOCKER, DOCKER_FLAGS),
    row("docker-compose", "fp", COMPOSE, COMPOSE_FLAGS),
    row("aws", "", AWS, AWS_FLAGS),
    row("npm", "Cw", NPM, NPM_FLAGS),
    row("pnpm", "CwF", NPM, NPM_FLAGS),
    row("yarn", "CwF", NPM, NPM_FLAGS),
    row("terraform", "", " -chdir ", " -help -version "),
    row("gh", "R", " --repo --hostname ", " --help --version "),
    row("helm", "n", HELM, " --debug --kube-insecure-skip-tls-verify "),
    row("gcloud", "", GCLOUD, GCLOUD_FLAGS),
    row("cargo", "ZC", " --config --color --explain ", CARGO_FLAGS),
    row("pip", "", PIP, PIP_FLAGS),
    row("pip3", "", PIP, PIP_FLAGS),
    row("systemctl", "HMtpnsoP", SYSTEMCTL, SYSTEMCTL_FLAGS),
    row("ip", "", " -n -netns -f -family -b -batch -l -loops -rc -rcvbuf ", IP_FLAGS),
];
const GIT: &str = " --git-dir --work-tree --namespace --exec-path --config-env --super-prefix \
--attr-source --list-cmds ";
const GIT_FLAGS: &str = " -p -P -v -h --paginate --no-pager --bare --no-replace-objects \
--literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks \
--no-lazy-fetch --no-advice --html-path --man-path --info-path --version --help ";
const KUBECTL: &str = " --namespace --context --cluster --user --kubeconfig --as --as-group --as-uid \
--token --server --request-timeout --cache-dir --certificate-authority --client-key \
--client-certificate --tls-server-name --log-flush-frequency --profile --profile-output --vmodule \
--password --username --kuberc --v ";
const KUBECTL_FLAGS: &str = " --insecure-skip-tls-verify --match-server-version --warnings-as-errors \
--disable-compression ";
const DOCKER: &str = " --host --context --config --log-level --tlscacert --tlscert --tlskey \
--connection --identity --url --root --runroot --storage-driver --storage-opt ";
const DOCKER_FLAGS: &str = " -D -v --debug --tls --tlsverify --version --remote ";
const COMPOSE: &str = " --file --project-name --env-file --profile --project-directory --progress \
--parallel --ansi ";
const COMPOSE_FLAGS: &str = " --dry-run --compatibility --all-resources --verbose ";
const AWS: &str = " --profile --region --output --endpoint-url --query --color --ca-bundle \
--cli-read-timeout --cli-connect-timeout --cli-binary-format ";
const AWS_FLAGS: &str = " --debug --no-verify-ssl --no-paginate --no-sign-request --no-cli-pager \
--cli-auto-prompt --no-cli-auto-prompt --version ";
const NPM: &str = " --prefix --workspace --registry --cwd --filter --dir --userconfig --loglevel \
--globalconfig --cache --modules-dir --lockfile-dir --store-dir --use-yarnrc --mutex ";
const NPM_FLAGS: &str = " -g -s -q -d -y -f -r -v --global --silent --quiet --verbose --json --workspaces \
--include-workspace-root --yes --force --dry-run --ignore-scripts --offline --prefer-offline --no-audit \
--no-fund --recursive --parallel --stream --no-progress --color --no-color --version ";
const HELM: &str = " --kube-context --namespace --kubeconfig --kube-apiserver --kube-token \
--registry-config --repository-cache --repository-config --kube-as-user --kube-as-group --kube-ca-file \
--kube-tls-server-name --burst-limit --qps ";
const GCLOUD: &str = " --project --account --format --verbosity --configuration \
--impersonate-service-account --billing-project --access-token-file --flags-file --flatten \
--trace-token ";
const GCLOUD_FLAGS: &str =
    " -q -h --quiet --log-http --no-user-output-enabled --user-output-enabled ";
const CARGO_FLAGS: &str = " -q -v -vv -V --quiet --verbose --locked --offline --frozen --list ";
const PIP: &str = " --cache-dir --proxy --log --timeout --retries --python --exists-action --trusted-host \
--cert --client-cert --use-feature --use-deprecated --keyring-provider --resume-retries ";
const PIP_FLAGS: &str = " -q -qq -qqq -v -vv -vvv -V -h --quiet --verbose --isolated --no-input --debug \
--require-virtualenv --no-cache-dir --disable-pip-version-check --no-color --version ";
const SYSTEMCTL: &str = " --host --machine --type --property --state --output --lines --signal --root \
--kill-whom --kill-who --what --job-mode --image --check-inhibitors --timestamp --preset-mode ";
const SYSTEMCTL_FLAGS: &str = " -q -f -a -l -i -r -T --user --system --no-pager --quiet --now --force \
--all --full --no-block --no-reload --global --runtime --no-legend --plain --no-ask-password --wait \
--failed --value ";
const IP_FLAGS: &str = " -4 -6 -B -M -0 -s -d -o -j -p -c -a -r -t -h -br -D -N -V -brief -details -json \
-pretty -all -stats -statistics -oneline -resolve -timestamp -ts -color -iec -human -human-readable -Numeric ";

/// So many operands say what a command does.
const MOST_OPERANDS: usize = 3;
/// The most options that are not known.
const MAX_UNKNOWN: usize = 3;

impl Globals {
    fn find(name: &str) -> Option<&'static Globals> {
        TABLE.iter().find(|globals| globals.name == name)
    }

    /// How many words an option takes, itself counted; none if it is not known.
    fn width(&self, text: &str) -> Option<usize> {
        let name = until(text, "=");
        let is_alone = name.len() == text.len();
        if is_listed(self.long, name) {
            // `--exec-path` of git has a value only with `=`.
            let takes_next = is_alone && !(self.name == "git" && name == "--exec-path");
            return Some(1 + usize::from(takes_next));
        }
        if is_listed(self.flags, name) || begins(text, "+") {
            return Some(1);
        }
        let cluster = text.strip_prefix('-').filter(|rest| !begins(rest, "-"))?;
        let first = cluster.chars().next()?;
        self.short.contains(first).then(|| 1 + usize::from(cluster.len() == first.len_utf8()))
    }

    fn is_option(&self, text: &str) -> bool {
        (begins(text, "-") && text.len() > 1) || (self.name == "cargo" && begins(text, "+"))
    }
}

/// The places of the words without global options, in each way that there is to read them; the first way is
/// that without any before the subcommand. The name is word 0.
pub(super) fn without_globals(name: &str, words: &[ShellWord]) -> Vec<Vec<usize>> {
    let mut ways = Vec::new();
    let Some(globals) = Globals::find(name) else { return ways };
    let first = words.get(1..words.len().min(1 + MOST_OPERANDS)).unwrap_or_default();
    if !first.iter().any(|word| globals.is_option(&word.text)) {
        return ways;
    }
    for operands in 1..=MOST_OPERANDS {
        let mut open = vec![(1, vec![0], globals, 0)];
        while let Some((mut at, mut kept, mut globals, mut unknown)) = open.pop() {
            while let Some(word) = words.get(at) {
                if kept.len() > operands {
                    break;
                }
                let text = word.text.as_str();
                if !globals.is_option(text) {
                    kept.push(at);
                    at += 1;
                    // `docker compose` has options of its own.
                    if kept.len() == 2 && text == "compose" {
                        globals = Globals::find("docker-compose").unwrap_or(globals);
                    }
                    continue;
                }
                match globals.width(text) {
                    Some(width) => at += width,
                    // Behind the subcommand it is one of the subcommand's own.
                    None if kept.len() > 1 || unknown == MAX_UNKNOWN => {
                        kept.push(at);
                        at += 1;
                    }
                    None => {
                        unknown += 1;
                        open.push((at + 2, kept.clone(), globals, unknown));
                        at += 1;
                    }
                }
            }
            kept.extend(at.min(words.len())..words.len());
            if !ways.contains(&kept) {
                ways.push(kept);
            }
        }
    }
    ways
}

/// The place of the subcommand.
pub(super) fn subcommand(name: &str, words: &[ShellWord]) -> usize {
    let mut at = 1;
    let globals = Globals::find(name);
    while let Some(word) = words.get(at).filter(|word| begins(&word.text, "-+")) {
        at += globals.and_then(|globals| globals.width(&word.text)).unwrap_or(1);
    }
    at.min(words.len())
}
