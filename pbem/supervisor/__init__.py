"""`pbem up`: the service's processes under one small supervisor, with a data folder of their own."""
