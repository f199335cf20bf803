"""What attackers try, and how well secrets are kept: docs/security.md says what is defended."""
