"""Mail in and out: whom it believes, how it is read, and how letters leave."""
