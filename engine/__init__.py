"""The rules of Shengji: pure, typed, without clock, camera or database."""
