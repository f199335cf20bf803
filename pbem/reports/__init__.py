"""What players are told: reports and letters as data, and as text, HTML and pictures made from it."""
