//! A `SKILL.md`, and the list of it.

use apex_parts::skills::{ListedSkill, ListingOptions, SkillDocument, SkillListing, SkillOptions};

/// Any bytes give a document: its body ends the input, but for what is not seen; its problems have places in it, and its
/// list keeps to its limit. As they are, and as frontmatter.
pub fn skill(data: &[u8]) {
    let fenced = [b"---\nname: a\ndescription: d\n".as_slice(), data].concat();
    for bytes in [data, &fenced] {
        let options = SkillOptions { dir_name: Some("a"), ..SkillOptions::default() };
        let read = SkillDocument::parse(bytes, &options, &mut |a, b| a == b);
        if read.problems.iter().any(|problem| problem.rule == "SK-24") {
            let text = String::from_utf8_lossy(bytes);
            let mut rest = text.chars();
            assert!(read.body.chars().all(|own| rest.any(|other| other == own)));
        } else {
            assert!(bytes.ends_with(read.body.as_bytes()));
        }
        for problem in &read.problems {
            assert!(
                problem.offset.is_none_or(|offset| offset as usize <= bytes.len()),
                "{problem}"
            );
        }
        let skills = [ListedSkill { name: &read.name, description: &read.description }; 3];
        let options = ListingOptions { max_chars: data.len() * 2, ..ListingOptions::default() };
        let listing = SkillListing::new(&skills, &options);
        assert!(listing.text.chars().count() <= options.max_chars.max("(3 more)".len()));
    }
}
