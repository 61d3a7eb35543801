"""The search: what it is asked and answers (``types``) and how it finds out."""
