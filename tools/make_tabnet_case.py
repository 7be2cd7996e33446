"""Write a tiny TabNet with random weights and its outputs by pytorch_tabnet, for tests/methods/test_visual_tabnet.py.

Needs torch and pytorch_tabnet: python tools/make_tabnet_case.py tests/methods/tabnet_case
"""

import json
import re
import sys
from pathlib import Path

import torch
from pytorch_tabnet.tab_network import TabNet

from bonmun.methods.tensor_file import read_tensors, write_tensors

COLUMNS = ["order", "tag", "characters", "visible", "d0"]
ABOUT = {
    "format": 1,
    "name": "tiny",
    "columns": COLUMNS,
    "n_d": 3,
    "n_a": 2,
    "n_steps": 2,
    "gamma": 1.3,
    "n_independent": 1,
    "n_shared": 2,
    "categories": {"tag": 138, "visible": 2},
    "embedding": {"tag": 2, "visible": 1},
}


def network(about: dict[str, object], seed: int) -> TabNet:
    """A network in evaluation mode with random weights and statistics."""
    columns, categories = about["columns"], about["categories"]
    torch.manual_seed(seed)
    made = TabNet(
        len(columns),
        2,
        **{name: about[name] for name in ("n_d", "n_a", "n_steps", "gamma", "n_independent", "n_shared")},
        cat_idxs=[columns.index(name) for name in categories],
        cat_dims=list(categories.values()),
        cat_emb_dim=list(about["embedding"].values()),
        group_attention_matrix=torch.eye(len(columns)),
    ).eval()
    for name, buffer in made.named_buffers():
        if name.endswith("running_mean"):
            buffer.copy_(torch.randn_like(buffer))
        elif name.endswith("running_var"):
            buffer.copy_(0.2 + torch.rand_like(buffer))
    made.tabnet.final_mapping.weight.data *= 0.1  # else most probabilities are 0 or 1
    return made


def outputs(made: TabNet, about: dict[str, object], rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The probabilities, and the aggregated masks by columns: those of an embedding's inputs add up."""
    widths = [about["embedding"].get(name, 1) for name in about["columns"]]
    with torch.no_grad():
        probabilities = torch.softmax(made(rows)[0], dim=1)[:, 1]
        masks = made.forward_masks(rows)[0]
    return probabilities, torch.stack([part.sum(dim=1) for part in masks.split(widths, dim=1)], dim=1)


def rows_for(about: dict[str, object], count: int) -> torch.Tensor:
    """Random rows."""
    rows = torch.randn(count, len(about["columns"])) * 2
    for name, number in about["categories"].items():
        rows[:, about["columns"].index(name)] = torch.randint(number, (count,)).float()
    return rows


def write(made: TabNet, about: dict[str, object], path: Path) -> None:
    """Write a model file."""
    arrays = {
        name: ("F32", tuple(value.shape), value.detach().numpy().astype("<f4").tobytes())
        for name, value in made.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    write_tensors(path, arrays, {"bonmun": json.dumps(about)})


def loaded(path: Path) -> TabNet:
    """The network of a model file, in double precision.

    In single precision torch folds the first batch norm's mean into a constant: columns that were constant in training,
    such as the window's size, lose digits, and probabilities are off by up to 0.01.
    """
    content = read_tensors(path)
    about = json.loads(content.metadata["bonmun"])
    made = network(about, 0)
    state = made.state_dict()
    for name, value in state.items():
        shared = re.sub(r"feat_transformers\.\d+\.shared", "initial_splitter.shared", name)
        shared = re.sub(r"shared_layers\.(\d+)\.weight", r"glu_layers.\1.fc.weight", shared)
        stored = name if name in content.arrays else shared
        if stored in content.arrays:
            value.copy_(torch.tensor(content.arrays[stored].tolist()).reshape(value.shape))
    made.load_state_dict(state)
    made.double()
    made.tabnet.encoder.group_attention_matrix = made.tabnet.encoder.group_attention_matrix.double()
    return made


def main(folder: Path) -> None:
    """Write the model, some rows and the outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    made = network(ABOUT, 7)
    write(made, ABOUT, folder / "tiny.safetensors")
    rows = rows_for(ABOUT, 6)
    probabilities, masks = outputs(made, ABOUT, rows)
    case = {"rows": rows.tolist(), "probabilities": probabilities.tolist(), "masks": masks.tolist()}
    (folder / "outputs.json").write_text(json.dumps(case, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
