//! The tokens of files: images by their size, PDFs by their pages, others by the length of their data. The length of
//! base64 says nothing of an image: it is what a photograph and a page of text differ in.

use super::chars::of_units;
use super::data_url::DataUrl;
use super::{image, pdf};

/// What one image may cost, and what an image costs whose size is not known.
const IMAGE: f64 = 1600.0;
/// Pixels of an image for a token.
const PIXELS: f64 = 750.0;
const PAGE: f64 = 2000.0;
/// A PDF whose pages cannot be counted: four of them.
const PDF: f64 = 8000.0;
/// Another file behind an address: its length is not known before the provider fetches it. It is taken for an image
/// of unknown size, since nothing at all would let a request overflow unseen.
const ADDRESS: f64 = 1600.0;

/// The tokens of a file of this type at this URL.
///
/// The type decides the kind (its parameters and its case do not matter), the data decide the rest: a PNG that is
/// called a JPEG has the size that it has. Data are decoded as far as that takes.
#[must_use]
pub fn media_tokens(mime: &str, url: &str) -> f64 {
    let kind = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let data = DataUrl::parse(url);
    if kind.starts_with("image/") {
        return data.and_then(|data| image::size(&mut data.bytes())).map_or(IMAGE, of_image);
    }
    if kind == "application/pdf" {
        return match data.map_or(0, |data| pdf::pages(data.bytes())) {
            0 => PDF,
            pages => f64::from(pages) * PAGE,
        };
    }
    data.map_or(ADDRESS, |data| of_units(data.len()))
}

/// The tokens of an image of this width and height, neither of them 0.
fn of_image((width, height): (u32, u32)) -> f64 {
    (f64::from(width) * f64::from(height) / PIXELS).ceil().min(IMAGE)
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
