"""The whole service in one process on one clock that is moved by hand, and people who play by mail.

Everything in a world follows from its seed: the clock, the service's secrets, what people do, what goes wrong.
"""
