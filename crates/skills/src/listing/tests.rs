//! What fits is shown, and what does not is told.

use super::*;
use proptest::prelude::*;

fn listed<'s>(skills: &'s [(String, String)]) -> Vec<ListedSkill<'s>> {
    skills.iter().map(|(name, description)| ListedSkill { name, description }).collect()
}

fn skills(count: usize, description: &str) -> Vec<(String, String)> {
    (0..count).map(|at| (format!("skill-{at}"), description.to_owned())).collect()
}

fn list(skills: &[(String, String)], max_chars: usize, recent: &[&str]) -> SkillListing {
    let recent: Vec<String> = recent.iter().map(|name| (*name).to_owned()).collect();
    let options = ListingOptions { max_chars, recent: &recent, ..ListingOptions::default() };
    SkillListing::new(&listed(skills), &options)
}

#[test]
fn all_is_shown_where_it_fits() {
    let skills = [("a&b".to_owned(), "one\r\ntwo <b>".to_owned()), ("c".to_owned(), String::new())];
    let listing = list(&skills, 8_000, &[]);
    let wanted = "<available_skills>\n<skill name=\"a&amp;b\">one two &lt;b&gt;</skill>\n<names>c</names>\n\
                  </available_skills>";
    assert_eq!(listing.text, wanted);
    assert_eq!((listing.cut.len(), listing.name_only), (0, vec!["c".to_owned()]));
    assert_eq!(list(&[], 8_000, &[]), SkillListing::default());
}

#[test]
fn descriptions_are_cut_to_one_length_at_a_word() {
    let mut skills = skills(3, &"word ".repeat(100));
    skills[1].1 = "A short one.".to_owned();
    let listing = list(&skills, 400, &[]);
    assert_eq!(listing.cut.len(), 2);
    assert!(listing.text.contains("word…</skill>") && listing.text.contains("A short one."));
    assert_eq!(listing.cut[0].kept, listing.cut[1].kept);
    assert!((380..=400).contains(&listing.text.chars().count()), "{}", listing.text);
}

#[test]
fn the_last_lose_their_descriptions_and_the_recent_keep_them() {
    let skills = skills(20, &"word ".repeat(100));
    let listing = list(&skills, 600, &["skill-19", "nothing"]);
    assert!(listing.text.contains("<skill name=\"skill-19\">"));
    assert!(listing.text.contains("<skill name=\"skill-0\">"));
    assert!(listing.name_only.contains(&"skill-18".to_owned()));
    assert_eq!(listing.cut.len() + listing.name_only.len(), 20);
    assert!(listing.cut.iter().all(|cut| cut.kept <= 40) && listing.hidden.is_empty());
}

#[test]
fn names_that_do_not_fit_are_counted() {
    let skills = skills(1_000, "d");
    let listing = list(&skills, 300, &["skill-999"]);
    assert!(listing.text.contains("skill-999"));
    assert!(listing.text.ends_with(&format!("({} more)", listing.hidden.len())));
    assert_eq!(listing.hidden.len() + listing.name_only.len(), 1_000);
    assert_eq!(list(&skills, 0, &[]).text, "(1000 more)");
    assert!(list(&self::skills(500, "d"), 8_000, &[]).hidden.is_empty());
}

proptest! {
    #[test]
    fn a_list_is_within_its_limit_and_names_all(
        skills in proptest::collection::vec(("[a-z<&]{1,12}", "[a-z <&\n…é]{0,120}"), 0..30),
        max_chars in 0_usize..3_000,
        is_markdown in any::<bool>(),
        recent in proptest::collection::vec("[a-z]{1,2}", 0..4),
    ) {
        let style = if is_markdown { ListingStyle::Markdown } else { ListingStyle::Xml };
        let options = ListingOptions { max_chars, style, recent: &recent };
        let listing = SkillListing::new(&listed(&skills), &options);
        let chars = listing.text.chars().count();
        let more = if listing.hidden.is_empty() { 0 } else { more(listing.hidden.len()).len() };
        prop_assert!(chars <= max_chars.max(more), "{} {}", chars, listing.text);
        let names: usize = skills.iter().map(|(name, _)| {
            name.chars().map(escaped_chars).sum::<usize>() + ", ".len()
        }).sum();
        prop_assert!(listing.hidden.is_empty() || names - ", ".len() > max_chars);
        for (name, _) in &skills {
            let mut escaped = String::new();
            push_escaped(&mut escaped, name, " ");
            prop_assert!(listing.hidden.contains(name) || listing.text.contains(&escaped));
        }
        prop_assert_eq!(&SkillListing::new(&listed(&skills), &options), &listing);
        for cut in &listing.cut {
            prop_assert!(cut.kept < 120);
        }
    }
}

#[test]
fn what_is_not_seen_is_not_listed() {
    let skills = [("a\u{200b}b".to_owned(), "x\u{202e}\u{1b}[1my".to_owned())];
    let listing = list(&skills, 8_000, &[]);
    assert!(listing.text.contains("<skill name=\"ab\">xy</skill>"), "{}", listing.text);
    // By its own name it is known.
    assert_eq!(list(&skills, 10, &[]).name_only.first().map(|name| &**name), Some("a\u{200b}b"));
}
