"""Fine-tune a model on corrected pages, without the corpora that it was trained on."""
