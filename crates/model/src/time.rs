//! ISO 8601 times of deltas, in milliseconds since the Unix epoch: the forms that streams use,
//! without a calendar library.

/// The time of a text such as `2025-02-17T08:30:00.125Z` or `2025-02-17T09:30:00+01:00`; a date
/// alone is its midnight, a time without a zone is UTC. `None` for anything else.
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let mut rest = text.trim().as_bytes();
    let year = match rest.split_first() {
        Some((sign @ (b'+' | b'-'), after)) => {
            rest = after;
            let year = digits(&mut rest, 6)?;
            if *sign == b'+' { year } else { -year }
        }
        _ => digits(&mut rest, 4)?,
    };
    let (month, day) = (after(&mut rest, b'-')?, after(&mut rest, b'-')?);
    let days = days_of(year, month, day)?;
    let mut ms = days * 86_400_000;
    let Some((b'T' | b't' | b' ', time)) = rest.split_first() else {
        return rest.is_empty().then_some(ms);
    };
    rest = time;
    let (hour, minute) = (digits(&mut rest, 2)?, after(&mut rest, b':')?);
    let second = if rest.first() == Some(&b':') { after(&mut rest, b':')? } else { 0 };
    // A leap second counts as the first second of the next minute.
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    ms += (hour * 3600 + minute * 60 + second) * 1000;
    if let Some((b'.' | b',', fraction)) = rest.split_first() {
        rest = fraction;
        let mut unit = 100;
        let mut some = false;
        while let Some((digit @ b'0'..=b'9', more)) = rest.split_first() {
            ms += i64::from(digit - b'0') * unit;
            unit /= 10;
            some = true;
            rest = more;
        }
        some.then_some(())?;
    }
    match rest.split_first() {
        None => Some(ms),
        Some((b'Z' | b'z', [])) => Some(ms),
        Some((sign @ (b'+' | b'-'), zone)) => {
            rest = zone;
            let hours = digits(&mut rest, 2)?;
            let minutes = match rest.first() {
                None => 0,
                Some(b':') => after(&mut rest, b':')?,
                Some(_) => digits(&mut rest, 2)?,
            };
            let ahead = (hours * 60 + minutes) * 60_000;
            rest.is_empty().then_some(if *sign == b'+' { ms - ahead } else { ms + ahead })
        }
        Some(_) => None,
    }
}

fn digits(rest: &mut &[u8], count: usize) -> Option<i64> {
    let (now, later) = rest.split_at_checked(count)?;
    *rest = later;
    now.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))
}

fn after(rest: &mut &[u8], mark: u8) -> Option<i64> {
    *rest = rest.strip_prefix(&[mark])?;
    digits(rest, 2)
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(())?;
    // If years begin in March, a leap day is the last day of one (H. Hinnant, "chrono-compatible
    // low-level date algorithms").
    let year = if month <= 2 { year - 1 } else { year };
    let of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    Some(year.div_euclid(400) * 146_097 + day_of_era - 719_468)
}

/// A time as `Date.prototype.toISOString` writes it: years outside of 0 to 9999 have a sign and six
/// digits. A time outside of JavaScript's range becomes the nearest one in it.
#[must_use]
pub fn format(ms: i64) -> String {
    let ms = ms.clamp(-8_640_000_000_000_000, 8_640_000_000_000_000);
    let (days, of_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let (second, milli) = (of_day / 1000, of_day % 1000);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let year =
        if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+07}") };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// A time of the host's clock as whole milliseconds.
#[must_use]
#[allow(clippy::cast_possible_truncation)] // `as` takes the nearest, and 0 for NaN
pub fn of_clock(now_ms: f64) -> i64 {
    now_ms as i64
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_of_streams() {
        for (text, ms) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01", 0),
            ("2025-02-17T08:30:00.125Z", 1_739_781_000_125),
            ("2025-02-17T09:30:00.125999+01:00", 1_739_781_000_125),
            ("2025-02-17t03:00:00.125-0530", 1_739_781_000_125),
            ("2025-02-17 08:30", 1_739_781_000_000),
            ("2024-02-29T23:59:60Z", 1_709_251_200_000),
            ("1969-12-31T23:59:59.999Z", -1),
        ] {
            assert_eq!(parse(text), Some(ms), "{text}");
        }
        for bad in [
            "",
            "now",
            "2025-13-01",
            "2025-02-17T",
            "2025-02-17T08:30:00.Z",
            "2025-2-17",
            "2025-02-17T08:30:00Zx",
            "2025-02-17T25:00",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        assert_eq!(format(1_739_781_000_125), "2025-02-17T08:30:00.125Z");
        assert_eq!(format(i64::MAX), "+275760-09-13T00:00:00.000Z");
        assert_eq!(parse("-000001-01-01T00:00:00Z"), Some(-62_198_755_200_000));
        assert_eq!(of_clock(f64::NAN), 0);
    }

    proptest! {
        #[test]
        fn written_times_are_read_back(ms in -8_640_000_000_000_000i64..8_640_000_000_000_000) {
            prop_assert_eq!(parse(&format(ms)), Some(ms));
        }
        #[test]
        fn odd_texts_do_no_harm(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
