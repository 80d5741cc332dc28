//! How many words of a command say what it does: `git push`, `npm run build`, `cat`.

use super::letters::{has_any, is_listed};

/// For two or three words, the beginnings that have so many. A beginning of more words decides before one
/// of fewer; a command that is in no list has one.
const TWO: &str = " bazel brew bun cargo cdk cf cmake composer consul crictl deno docker eksctl firebase \
flyctl git go gradle helm heroku hugo ip kind kubectl kustomize make mc minikube mongosh mvn mysql ng npm \
nvm nx openssl pip pipenv pnpm podman poetry psql pulumi pyenv python rake rbenv redis-cli rustup \
serverless skaffold sls sst swift systemctl terraform tmux turbo ufw vault vercel volta wp yarn ";
const THREE: &str = " aws az doctl gcloud gh sfdx ";
/// Two words that need a third.
const PAIRS: &str = " bun_run bun_x cargo_add cargo_run consul_kv deno_task docker_builder docker_compose \
docker_container docker_image docker_network docker_volume eksctl_create git_config git_remote git_stash \
ip_addr ip_link ip_netns ip_route kind_create kubectl_kustomize kubectl_rollout mc_admin npm_exec npm_init \
npm_run npm_view openssl_req openssl_x509 pnpm_dlx pnpm_exec pnpm_run podman_container podman_image \
pulumi_stack terraform_workspace vault_auth vault_kv yarn_dlx yarn_run ";
/// Commands whose second word decides so much that one that is not known could be any of them.
const FAMILIES: &str = " aws az cargo docker docker-compose gcloud gh git helm ip kubectl npm pip pip3 pnpm \
podman systemctl terraform yarn ";

fn has(list: &str, word: &str, second: Option<&str>) -> bool {
    let Some(second) = second else { return is_listed(list, word) };
    !has_any(word, "_") && !has_any(second, "_") && is_listed(list, &[word, "_", second].concat())
}

/// The number of words, options apart, that say what a command does.
pub(crate) fn arity(name: &str, second: Option<&str>) -> usize {
    if second.is_some_and(|second| has(PAIRS, name, Some(second))) || has(THREE, name, None) {
        3
    } else if has(TWO, name, None) {
        2
    } else {
        1
    }
}

/// Must the second word of this command be known, to know what it does?
pub(crate) fn is_family(name: &str) -> bool {
    has(FAMILIES, name, None)
}
