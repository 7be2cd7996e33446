"""The method ``"auto"``: a trained model scores every block, and the blocks with the best expected F score are kept."""

from bonmun.methods.learned.method import Learned

__all__ = ["Learned"]
