//! The formats of tokens, and where each is from. `token_format.rs` says how to read one.
//!
//! A row has a service, the formats of its tokens, and the source: [`GITLEAKS`], [`CREDSWEEPER`], [`NOSEY_PARKER`],
//! [`KINGFISHER`], the vendor's page, or [`OURS`]. Prefixes, alphabets and lengths are facts; no expression of a scanner
//! is copied. The rows of a kind are tried in their order. `npm run token-formats -- DIR` compares the table with a
//! newer gitleaks, `npm run recall -- DIR` with the examples of Nosey Parker and Kingfisher.

/// The formats of <https://github.com/gitleaks/gitleaks>, `config/gitleaks.toml`, at this commit. License: MIT, see
/// `THIRD-PARTY.md`.
#[cfg(test)]
pub(super) const GITLEAKS: &str = "gitleaks b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b, MIT";

/// Prefixes and lengths of <https://github.com/Samsung/CredSweeper>, `credsweeper/rules/config.yaml`, at this commit.
/// License: MIT, see `THIRD-PARTY.md`.
#[cfg(test)]
pub(super) const CREDSWEEPER: &str = "CredSweeper 1ed2ca5cdd480667b938024464a37589b9af8564, MIT";

/// The rules of <https://github.com/praetorian-inc/noseyparker>, at this commit. License: Apache-2.0.
#[cfg(test)]
pub(super) const NOSEY_PARKER: &str =
    "Nosey Parker 2e6e7f36ce36619852532bbe698d8cb7a26d2da7, Apache-2.0";

/// The rules of <https://github.com/mongodb/kingfisher>, at this commit. License: Apache-2.0.
#[cfg(test)]
pub(super) const KINGFISHER: &str =
    "Kingfisher ee7c0db3ef87575768f817820c24736249ffcdef, Apache-2.0";

/// Formats seen in sessions and in the vendors' documents, which stood here before the table named sources.
#[cfg(test)]
pub(super) const OURS: &str = "apex-parts 0.2.0";

/// The table twice: what finds tokens has the formats only, one a line, each kind's behind a line with its name; tests
/// have it all.
macro_rules! token_formats {
    ($($kind:literal { $($service:literal, $source:expr, [$($format:literal),+];)+ })+) => {
        /// The formats, one a line, behind `=` and the name of their kind.
        pub(super) const TOKEN_FORMATS: &str =
            concat!($("=", $kind, "\n", $($($format, "\n",)+)+)+);
        /// Kind, service, source, formats.
        #[cfg(test)]
        pub(super) const TOKEN_ROWS: &[(&str, &str, &str, &[&str])] =
            &[$($(($kind, $service, $source, &[$($format),+]),)+)+];
    };
}

token_formats! {
"private-key" {
    "age", GITLEAKS, ["?AGE-SECRET-KEY-1{u58}"];
    "NATS", "https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth",
        ["?SU{u56}", "?SA{u56}", "?SO{u56}", "?SN{u56}", "?SC{u56}", "?SX{u56}", "?SP{u56}"];
}
"anthropic-key" {
    "Anthropic", GITLEAKS, ["sk-ant-{w16-1024}"];
}
"openai-key" {
    "OpenAI", GITLEAKS, ["sk-proj-{w16-1024}", "sk-svcacct-{w16-1024}", "sk-admin-{w16-1024}"];
    "OpenRouter", OURS, ["sk-or-v1-{w16-1024}"];
    "OpenAI and others", GITLEAKS, ["?sk-{w16-1024}"];
}
"github-token" {
    "GitHub", GITLEAKS, ["ghp_{a16-255}", "gho_{a16-255}", "ghu_{a16-255}", "ghs_{a16-255}", "ghr_{a16-255}",
        "github_pat_{W22-255}"];
    "GitHub", CREDSWEEPER, ["ghs_{d1-20}_eyJ{D40-2048}"];
}
"gitlab-token" {
    "GitLab", GITLEAKS, ["glpat-{D16-320}", "gldt-{w16-64}", "glrt-{D16-320}", "glptt-{w20-64}", "glcbt-{w16-80}",
        "glimt-{w20-64}", "glagent-{w40-80}", "gloas-{w40-80}", "glsoat-{w16-64}", "glffct-{w16-64}",
        "glft-{w16-64}", "?GR1348941{w20-32}", "_gitlab_session=>{l32}"];
    "GitLab", OURS, ["glrtr-{w16-64}"];
}
"slack-token" {
    "Slack", GITLEAKS, ["?xoxa-{w8-256}", "xoxb-{d8-14}-{w8-256}", "?xoxb-{w10-256}", "?xoxe-{w10-512}",
        "?xoxe.xox{D10-512}", "?xoxo-{w10-256}", "?xoxp-{w10-256}", "?xoxr-{w8-256}", "?xoxs-{w10-256}",
        "?xapp-{w10-256}",
        "hooks.slack.com/>{z8-9}/{p30-120}"];
    "Slack", OURS, ["?xoxc-{w10-256}", "?xoxd-{p20-512}"];
}
"aws-key" {
    "AWS", GITLEAKS, ["AKIA{u16}", "ASIA{u16}", "ABIA{u16}", "ACCA{u16}", "?A3T{u17}", "?ABSK{b64-800}",
        "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{p0-4096}"];
    "Amazon MWS", CREDSWEEPER, ["amzn.mws.{U36}"];
}
"google-key" {
    "Google", GITLEAKS, ["AIza{w30-40}"];
    "Google", OURS, ["ya29.{D20-8000}", "GOCSPX-{w20-40}", "?AQ.Ab8R{w30-128}"];
    "Google", CREDSWEEPER, ["?1//0{w40-8000}"];
}
"stripe-key" {
    "Stripe", GITLEAKS, ["sk_live_{a16-255}", "rk_live_{a16-255}", "?sk_live_{a10-15}", "?rk_live_{a10-15}",
        "?sk_test_{a10-255}", "?rk_test_{a10-255}", "?sk_prod_{a10-255}", "?rk_prod_{a10-255}"];
    "Stripe, Svix", "https://docs.svix.com/receiving/verifying-payloads/how-manual", ["whsec_{b24-255}"];
}
"npm-token" {
    "npm", GITLEAKS, ["npm_{a30-40}"];
}
"pypi-token" {
    "PyPI", GITLEAKS, ["pypi-{w50-1024}", "?pypi-{w16-50}"];
}
"huggingface-token" {
    "Hugging Face", GITLEAKS, ["hf_{a34-40}", "?hf_{a16-64}", "api_org_{a30-40}"];
}
"sendgrid-key" {
    "SendGrid", GITLEAKS, ["?SG.{P32-80}"];
}
"twilio-key" {
    "Twilio", GITLEAKS, ["?SK{H32}"];
}
"service-key" {
    "1Password", GITLEAKS, ["ops_eyJ{b240-16384}", "A3-{u6}-{u11}-{u5}-{u5}-{u5}",
        "A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}"];
    "Adafruit", NOSEY_PARKER, ["aio_{a28}"];
    "Adobe", GITLEAKS, ["?p8e-{a32}"];
    "Airtable", GITLEAKS, ["pat{a14}.{h64}"];
    "Akamai", CREDSWEEPER, ["?akab-{l16}-{l16}"];
    "Alibaba", GITLEAKS, ["?LTAI{a12-20}"];
    "Artifactory", GITLEAKS, ["?AKCp{a69}", "?cmVmd{a59}"];
    "Atlassian", GITLEAKS, ["ATATT3{p80-900}"];
    "Atlassian", "https://community.atlassian.com/forums/Bitbucket-questions/qaq-p/3093481",
        ["ATCTT3{p80-900}", "?ATBB{a32}"];
    "Atlassian", CREDSWEEPER, ["?BBDC-{w44}"];
    "Authress", GITLEAKS, ["?sc_{a5-30}.{a4-6}.acc{w11-33}.{p30-120}", "?ext_{a5-30}.{a4-6}.acc{w11-33}.{p30-120}",
        "?scauth_{a5-30}.{a4-6}.acc{w11-33}.{p30-120}", "?authress_{a5-30}.{a4-6}.acc{w11-33}.{p30-120}"];
    "AWS AppSync", CREDSWEEPER, ["?da2-{l26}"];
    "Azure", GITLEAKS, ["?{x3}{d1}Q~{x31-34}"];
    "Azure", "https://github.com/microsoft/security-utilities", ["{a40-60}JQQJ9{a21-41}"];
    "Azure DevOps", NOSEY_PARKER, ["{a76}AZDO{a4}"];
    "Buildkite", "https://buildkite.com/docs/platform/security/tokens", ["?bkua_{a40-80}", "?bkaa_{a40-96}",
        "?bkaj_{a40-96}"];
    "CircleCI", "https://circleci.com/changelog/new-format-for-api-access-tokens", ["CCIPAT_{a20-24}_{H40}",
        "CCIPRJ_{a20-24}_{H40}"];
    "ClickHouse", GITLEAKS, ["?4b1d{a38}"];
    "ClickUp", "https://developer.clickup.com/docs/authentication", ["pk_{d5-12}_{u32}"];
    "Clojars", GITLEAKS, ["CLOJARS_{a60}"];
    "Cloudflare", GITLEAKS, ["v1.0-{h24}-{h146}"];
    "Cloudflare", "https://developers.cloudflare.com/fundamentals/api/get-started/token-formats",
        ["?cfk_{w40-56}", "?cfut_{w40-56}", "?cfat_{w40-56}"];
    "Contentful", OURS, ["?CFPAT-{w40-64}"];
    "crates.io", NOSEY_PARKER, ["?cio{a32}"];
    "Databricks", GITLEAKS, ["?dapi{h32}"];
    "Defined Networking", GITLEAKS, ["?dnkey-{E26}-{E52}"];
    "Dependency-Track", NOSEY_PARKER, ["odt_{a32-255}"];
    "DigitalOcean", GITLEAKS, ["dop_v1_{h64}", "doo_v1_{h64}", "dor_v1_{H64}"];
    "Discord", OURS, ["discord.com/api/webhooks/>{d17-20}/{w60-100}",
        "discordapp.com/api/webhooks/>{d17-20}/{w60-100}",
        "M{w23-27}.{w6-7}.{w27-40}", "N{w23-27}.{w6-7}.{w27-40}", "O{w23-27}.{w6-7}.{w27-40}"];
    "Docker", OURS, ["dckr_pat_{w20-40}", "dckr_oat_{w20-40}"];
    "Docker Swarm", "https://docs.docker.com/engine/swarm/swarm-mode", ["SWMTKN-1-{l49-51}-{l24-25}"];
    "Docker Swarm", CREDSWEEPER, ["SWMKEY-1-{a43}"];
    "Doppler", GITLEAKS, ["?dp.pt.{a40-48}"];
    "Doppler", "https://docs.doppler.com/reference/api", ["?dp.st.{D40-96}", "?dp.ct.{a40-48}",
        "?dp.sa.{a40-48}", "?dp.scim.{a40-48}", "?dp.audit.{a40-48}"];
    "Dropbox", GITLEAKS, ["?sl.{P100-2048}"];
    "Duffel", GITLEAKS, ["?duffel_test_{E43}", "?duffel_live_{E43}"];
    "Dynatrace", GITLEAKS, ["dt0c01.{a24}.{a64}"];
    "Dynatrace", "https://docs.dynatrace.com/docs/manage/access-control/access-tokens-legacy",
        ["dt0{z1}{d2}.{u24}.{u64}"];
    "E2B", OURS, ["?e2b_{h40}"];
    "EasyPost", GITLEAKS, ["?EZAK{a54}", "?EZTK{a54}"];
    "ElevenLabs", KINGFISHER, ["?sk_{h48}"];
    "Facebook", GITLEAKS, ["{d15-16}|{w27-40}", "{d15-16}%{w27-40}", "?EAAC{a100-512}", "?EAAM{a100-512}"];
    "Figma", OURS, ["figd_{w32-64}"];
    "Firecrawl", OURS, ["?fc-{h32}"];
    "Fleetbase", KINGFISHER, ["?flb_live_{a20}"];
    "Flexport", KINGFISHER, ["?shltm_{w40}"];
    "Flutterwave", GITLEAKS, ["FLWSECK_TEST-{a32}-X", "FLWPUBK_TEST-{a32}-X", "FLWSECK_TEST-{a12}"];
    "Fly.io", GITLEAKS, ["?fo1_{w43}", "?fm1a_{b60-4096}", "?fm1r_{b60-4096}", "?fm2_{b60-4096}"];
    "Frame.io", GITLEAKS, ["?fio-u-{E64}"];
    "FullStory", KINGFISHER, ["?na1.{b100}"];
    "GoCardless", GITLEAKS, ["?live_{E40}"];
    "Grafana", GITLEAKS, ["glsa_{W32-64}", "?glc_{b32-404}", "?eyJrIjoi{b70-404}"];
    "Groq", OURS, ["gsk_{a40-64}"];
    "Harness", GITLEAKS, ["pat.{w22}.{a24}.{a20}", "sat.{w22}.{a24}.{a20}"];
    "Heroku", GITLEAKS, ["?HRKU-AA{w50-64}"];
    "Heroku", CREDSWEEPER, ["HRKU-{U36}"];
    "HubSpot", "https://developers.hubspot.com/docs/api/private-apps", ["pat-{l3}-{U36}"];
    "Infracost", GITLEAKS, ["?ico-{a32}"];
    "Instagram", CREDSWEEPER, ["?IGQVJ{E100-2048}"];
    "Intra 42", GITLEAKS, ["s-s4t2ud-{H64}", "s-s4t2af-{H64}"];
    "Ionic", KINGFISHER, ["?ion_{a42}"];
    "Jina", OURS, ["?jina_{w40-80}"];
    "LangSmith", OURS, ["?lsv2_pt_{W40-64}", "?lsv2_sk_{W40-64}"];
    "Linear", GITLEAKS, ["lin_api_{a32-48}"];
    "Linear", OURS, ["?lin_oauth_{a32-80}"];
    "LlamaIndex", CREDSWEEPER, ["?llx-{w48}"];
    "Lob", GITLEAKS, ["?live_{h35}", "?test_{h35}"];
    "Mailchimp", GITLEAKS, ["{h32}-us{d1-2}"];
    "Mailgun", GITLEAKS, ["?!key-{h32}"];
    "Mapbox", GITLEAKS, ["?pk.{a60}.{a22}"];
    "MaxMind", GITLEAKS, ["{a6}_{a29}_mmk"];
    "Microsoft Teams", GITLEAKS, [".webhook.office.com/webhookb2/>{w36}@{w36}/IncomingWebhook/{l32}/{w36}"];
    "Microsoft Teams", NOSEY_PARKER, ["outlook.office.com/webhook/>{U36}@{U36}/IncomingWebhook/{H32}/{U36}"];
    "MongoDB Atlas", KINGFISHER, ["mdb_sa_sk_{w40}"];
    "Netlify", "https://answers.netlify.com/t/change-to-the-netlify-authentication-token-format/106146",
        ["?nfp_{a36}", "?nfc_{a36}", "?nfo_{a36}", "?nfu_{a36}", "?nfb_{a36}"];
    "New Relic", GITLEAKS, ["?NRAK-{a27}", "?NRII-{w32}", "?NRJS-{H19}"];
    "New Relic", CREDSWEEPER, ["?NRBR-{h19-20}"];
    "New Relic", NOSEY_PARKER, ["{a6}{h30}NRAL", "NRAA-{h27}", "NRIQ-{w32}", "px-dep-{U36}", "px-api-{U36}"];
    "Nightfall", KINGFISHER, ["?NF-{a32}"];
    "Notion", GITLEAKS, ["?ntn_{a40-64}"];
    "Notion", KINGFISHER, ["?secret_{a43}"];
    "NuGet", CREDSWEEPER, ["?oy2{l43}"];
    "NVIDIA", OURS, ["?nvapi-{w40-100}"];
    "Octopus Deploy", GITLEAKS, ["?API-{u26}"];
    "OpenShift", GITLEAKS, ["?sha256~{w43}"];
    "Pagar.me", KINGFISHER, ["?ak_live_{a30}"];
    "PASETO", "https://github.com/paseto-standard/paseto-spec", ["?v{d1}.local.{w40-4096}",
        "?v{d1}.public.{w40-4096}"];
    "PayPal Braintree", CREDSWEEPER, ["access_token$production${l16}${l32}"];
    "Perplexity", GITLEAKS, ["pplx-{a32-64}"];
    "Pinecone", OURS, ["?pcsk_{W40-120}"];
    "Plaid", GITLEAKS, ["access-sandbox-{U36}", "access-development-{U36}", "access-production-{U36}"];
    "PlanetScale", GITLEAKS, ["pscale_tkn_{P32-64}", "pscale_pw_{P32-64}", "pscale_oauth_{P32-64}"];
    "PostHog", OURS, ["?phx_{a32-64}"];
    "PostHog", CREDSWEEPER, ["?pha_{a40-60}", "?phr_{a40-60}", "?phs_{a40-60}"];
    "PostHog", KINGFISHER, ["?phx_{W43}"];
    "Postman", GITLEAKS, ["PMAK-{w40-80}"];
    "Postman", CREDSWEEPER, ["?PMAT-{u26}"];
    "Prefect", GITLEAKS, ["?pnu_{a36}"];
    "Pulumi", GITLEAKS, ["?pul-{h40}"];
    "ReadMe", GITLEAKS, ["?rdme_{a70}"];
    "Replicate", OURS, ["r8_{a37}"];
    "RubyGems", GITLEAKS, ["rubygems_{h48}"];
    "Salesforce", NOSEY_PARKER, ["00D{a12}!{D96}"];
    "Scalingo", GITLEAKS, ["?tk-us-{w48}"];
    "Segment", KINGFISHER, ["?sgp_{a64}"];
    "Sendinblue", GITLEAKS, ["xkeysib-{h64}-{a16}"];
    "Sentry", GITLEAKS, ["sntrys_{p40-1024}", "sntryu_{h64}"];
    "SettleMint", GITLEAKS, ["sm_aat_{a16}", "sm_pat_{a16}", "sm_sat_{a16}"];
    "Shippo", GITLEAKS, ["shippo_live_{H40}", "shippo_test_{H40}"];
    "Shopify", GITLEAKS, ["shpat_{H32}", "shpca_{H32}", "shppa_{H32}", "shpss_{H32}"];
    "Shopify", CREDSWEEPER, ["shptka_{H32}"];
    "SonarQube", GITLEAKS, ["?sqp_{E40}", "?squ_{E40}", "?sqa_{E40}"];
    "Sourcegraph", GITLEAKS, ["sgp_{H40}", "sgp_{H16}_{H40}", "sgp_local_{H40}"];
    "Sourcegraph", KINGFISHER, ["sgp_{H16}_local_{H40}", "slk_{h64}"];
    "Square", GITLEAKS, ["?sq0atp-{w20-64}", "?EAAA{w22-60}"];
    "Square", OURS, ["?sq0csp-{w40-64}"];
    "Supabase", OURS, ["?sbp_{h40}", "?sbp_v0_{h40}", "?sb_secret_{w20-64}"];
    "Supabase", KINGFISHER, ["?sbp_{l40}"];
    "Tailscale", OURS, ["?tskey-{w20-128}"];
    "Tavily", OURS, ["tvly-{w24-64}"];
    "Teamwork", KINGFISHER, ["tkn.v1_{a71}="];
    "Telegram", GITLEAKS, ["{d8-10}:AA{w32-35}"];
    "Telnyx", KINGFISHER, ["?KEY{w55}"];
    "Terraform", GITLEAKS, ["{a14}.atlasv1.{p60-70}"];
    "ThingsBoard", NOSEY_PARKER, ["thingsboard.cloud/api/v1/>{l20}"];
    "Tines", KINGFISHER, [".tines.com/webhook/>{h32}/{h32}"];
    "Together AI", OURS, ["?tgp_v1_{w40-64}"];
    "Typeform", GITLEAKS, ["?tfp_{P59}"];
    "Typeform", KINGFISHER, ["?tfp_{W40-58}"];
    "Ubidots", KINGFISHER, ["BBFF-{a30}"];
    "Vault", GITLEAKS, ["hvs.{w24-256}", "hvb.{w100-400}", "?s.{a24}"];
    "Vault", CREDSWEEPER, ["hvr.{w80-160}"];
    "Vault", "https://developer.hashicorp.com/vault/docs/commands/operator", ["Unseal Key 1: >{b44}", "Unseal Key 2: >{b44}", "Unseal Key 3: >{b44}",
        "Unseal Key 4: >{b44}", "Unseal Key 5: >{b44}", "operator unseal >{b44}"];
    "Vercel", OURS, ["?vercel_blob_rw_{W30-80}"];
    "Vercel", "https://vercel.com/changelog/new-token-formats-and-secret-scanning", ["?vcp_{W24-96}", "?vci_{W24-96}",
        "?vca_{W24-96}", "?vcr_{W24-96}", "?vck_{W24-96}"];
    "Voiceflow", KINGFISHER, ["VF.{H24}.{a16}", "VF.DM.{H24}.{a16}", "VF.WS.{H24}.{a16}"];
    "WunderGraph", CREDSWEEPER, ["?cosmo_{h32}"];
    "xAI", OURS, ["xai-{a40-128}"];
    "xAI", KINGFISHER, ["xai-{W80}"];
    "Yandex", GITLEAKS, ["?t1.{E20-1024}.{E86-88}", "?AQVN{w35-38}", "?YC{w38}"];
    "Zapier", KINGFISHER, ["hooks.zapier.com/hooks/catch/>{p12-64}"];
    "Zoho", KINGFISHER, ["1000.{h32}.{h32}"];
}
"jwt" {
    "any", GITLEAKS, ["?ey{a17-4096}.ey{p17-8192}.{p0-2048}", "?ZXlK{p44-16384}"];
}
}

#[cfg(test)]
mod tests;
