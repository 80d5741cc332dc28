//! Skills: folders with a `SKILL.md`, read and listed. No files and no processes: text in, values out.
