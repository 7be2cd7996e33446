"""The features of blocks, measured without knowing the language; the learned method decides by them."""
