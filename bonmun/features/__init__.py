"""What can be measured of a block without knowing its language: the numbers that the learned method decides by."""
