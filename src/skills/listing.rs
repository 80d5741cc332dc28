//! The list of skills for a model: every name, and of the descriptions what fits.
