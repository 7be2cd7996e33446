"""Training of the models that see the rendered page (M4): labels of elements, tables of rows, TabNets, model files."""
