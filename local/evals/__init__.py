"""`turnkey eval`: how well an agent hands over what its customers ask for, on the real stack."""
