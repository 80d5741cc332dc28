//! The keys of services that have no kind of their own: one row a beginning, or a shape.

use super::byte_class::*;
use super::secret_kind::{KnownToken, LONG, random, token};
use super::shaped_token::{Piece, ShapedToken, around, begun, behind, piece};

/// The name of a bot in base64, a time, and a check.
const DISCORD: &[Piece] =
    &[piece(is_base64_url, 23, 27), piece(is_base64_url, 6, 7), piece(is_base64_url, 27, 40)];

/// The longest token that is a list of what it allows.
const MACAROON: usize = 4096;

/// Those that are known by how they begin.
pub(super) const SERVICE_TOKENS: &[KnownToken] = &[
    token("gsk_", is_alphanumeric, 40, 64),
    token("xai-", is_alphanumeric, 40, 128),
    token("pplx-", is_alphanumeric, 32, 64),
    token("r8_", is_alphanumeric, 37, 37),
    token("tvly-", is_base64_url, 24, 64),
    random("nvapi-", is_base64_url, 40, 100),
    random("pcsk_", is_word_byte, 40, 120),
    random("lsv2_pt_", is_word_byte, 40, 64),
    random("lsv2_sk_", is_word_byte, 40, 64),
    random("jina_", is_base64_url, 40, 80),
    random("tgp_v1_", is_base64_url, 40, 64),
    random("e2b_", is_hex, 40, 40),
    random("fc-", is_hex, 32, 32),
    token("dop_v1_", is_hex, 64, 64),
    token("doo_v1_", is_hex, 64, 64),
    token("dor_v1_", is_hex, 64, 64),
    token("shpat_", is_any_hex, 32, 32),
    token("shpca_", is_any_hex, 32, 32),
    token("shppa_", is_any_hex, 32, 32),
    token("shpss_", is_any_hex, 32, 32),
    token("lin_api_", is_alphanumeric, 32, 48),
    random("lin_oauth_", is_alphanumeric, 32, 80),
    token("dckr_pat_", is_base64_url, 20, 40),
    token("dckr_oat_", is_base64_url, 20, 40),
    token("hvs.", is_base64_url, 24, 256),
    token("hvb.", is_base64_url, 100, 400),
    token("glsa_", is_word_byte, 32, 64),
    random("glc_", is_base64, 32, 400),
    token("sntrys_", is_path, 40, LONG),
    token("sntryu_", is_hex, 64, 64),
    token("rubygems_", is_hex, 48, 48),
    token("figd_", is_base64_url, 32, 64),
    token("ATATT3", is_path, 100, 256),
    token("PMAK-", is_base64_url, 40, 80),
    random("ntn_", is_alphanumeric, 40, 64),
    random("sbp_", is_hex, 40, 40),
    random("sb_secret_", is_base64_url, 20, 64),
    random("tskey-", is_base64_url, 20, 128),
    random("dapi", is_hex, 32, 32),
    random("NRAK-", is_alphanumeric, 27, 27),
    random("NRII-", is_base64_url, 32, 32),
    random("NRJS-", is_any_hex, 19, 19),
    random("fo1_", is_base64_url, 43, 43),
    random("fm1a_", is_base64, 60, MACAROON),
    random("fm1r_", is_base64, 60, MACAROON),
    random("fm2_", is_base64, 60, MACAROON),
    random("phx_", is_alphanumeric, 32, 64),
    random("pul-", is_hex, 40, 40),
    random("CFPAT-", is_base64_url, 40, 64),
    random("vercel_blob_rw_", is_word_byte, 30, 80),
    random("dp.pt.", is_alphanumeric, 40, 48),
    random("sq0csp-", is_base64_url, 40, 64),
    random("sq0atp-", is_base64_url, 20, 64),
    random("pscale_tkn_", is_planetscale, 32, 64),
    random("pscale_pw_", is_planetscale, 32, 64),
    random("pscale_oauth_", is_planetscale, 32, 64),
    random("HRKU-AA", is_base64_url, 50, 64),
    random("pnu_", is_alphanumeric, 36, 36),
    random("rdme_", is_alphanumeric, 70, 70),
    token("ops_eyJ", is_base64, 240, 4 * MACAROON),
];

/// Those that are known by their shape.
pub(super) const SERVICE_SHAPES: &[ShapedToken] = &[
    behind(
        "discord.com/api/webhooks/",
        &[piece(is_digit, 17, 20), piece(is_base64_url, 60, 100)],
        b'/',
    ),
    behind(
        "discordapp.com/api/webhooks/",
        &[piece(is_digit, 17, 20), piece(is_base64_url, 60, 100)],
        b'/',
    ),
    begun("M", DISCORD, b'.'),
    begun("N", DISCORD, b'.'),
    begun("O", DISCORD, b'.'),
    // Telegram
    around(piece(is_digit, 8, 10), ":AA", &[piece(is_base64_url, 32, 35)]),
    // Mailchimp
    around(piece(is_hex, 32, 32), "-us", &[piece(is_digit, 1, 2)]),
    // Terraform
    around(piece(is_alphanumeric, 14, 14), ".atlasv1.", &[piece(is_path, 60, 70)]),
    // Airtable
    begun("pat", &[piece(is_alphanumeric, 14, 14), piece(is_hex, 64, 64)], b'.'),
    // Cloudflare
    begun("v1.0-", &[piece(is_hex, 24, 24), piece(is_hex, 146, 146)], b'-'),
];
