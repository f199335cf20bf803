"""The whole service played on one machine: a post office, and players who know nothing but the mail they get."""
