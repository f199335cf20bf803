"""A storm: random rulings, orders, absences, deadlines, restarts and bad post over many games at once.

After each step what must hold is looked at; at the end each journal is replayed and each player's story is read.
"""
