# SPDX-License-Identifier: Apache-2.0
"""Batches of archives for PyTorch's DataLoader."""
from __future__ import annotations

import importlib
import os
import shutil
import tempfile
import weakref
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._archive import OPTIONS, Archive, open_archive, remove
from ._batches import Plan

Source = Union[Archive, str, "os.PathLike[str]"]


def _worker() -> Any:
    """What PyTorch says of the worker that this process is, or None."""
    try:
        return importlib.import_module("torch.utils.data").get_worker_info()
    except ImportError:
        return None


class Dataset:
    """Batches of one or several archives, or paths of them or of PGN, as dictionaries of arrays by the names of ``Batch``, for PyTorch's DataLoader with any number of workers:
    ``DataLoader(Dataset("games.p11", 4096), batch_size=None, num_workers=4)``. Moves are int32. Without PyTorch it is a plain iterable.

    Each time that it is gone through is another epoch, with each row once and in another order; ``shuffle=None`` keeps the order of the archives. Options are those of ``Archive.batches``, also those
    that choose rows: they are read once, here. An archive may have a weight, how often its rows come in an epoch: of 2.25 twice, and a quarter of them, which is drawn each time, once more.
    ``part`` (i, n) is for processes, and must not be for workers: the batches of a part are shared out to workers by the dataset.
    ``len`` is the number of batches of an epoch, of all workers. With ``drop_last`` it is the same in all parts.
    """

    def __new__(cls, *arguments: Any, **options: Any) -> "Dataset":
        try:
            base = importlib.import_module("torch.utils.data").IterableDataset
        except ImportError:
            return super().__new__(cls)
        # PyTorch asks for a class of its own, which is wanted only where it is installed.
        return object.__new__(cls if issubclass(cls, base) else type(cls.__name__, (cls, base), {}))

    def __init__(self, archives: Union[Source, Sequence[Union[Source, Tuple[Source, float]]]], size: int, **options: Any):
        several = [archives] if isinstance(archives, (Archive, str, os.PathLike)) else archives
        weighted: List[Any] = [a if isinstance(a, tuple) else (a, 1) for a in several]
        self._plan = Plan([a if isinstance(a, Archive) else open_archive(a) for a, _ in weighted], [float(w) for _, w in weighted], size,
                          {**OPTIONS, "shuffle": 0, **{k: v for k, v in options.items() if k in OPTIONS}}, {k: v for k, v in options.items() if k not in OPTIONS})
        self._len = len(self._plan)
        # Epochs that have begun are folders here, whose names are read by workers, too: number, batches before, who began it.
        self._epochs = tempfile.mkdtemp(prefix="ply11-")
        self._begun, self._loaded = 0, False
        self._at: Tuple[int, ...] = ()  # epoch and batches, of a worker as if all had given as many
        weakref.finalize(self, remove, self._epochs, os.getpid())

    def __len__(self) -> int:
        return self._len

    def __reduce__(self) -> Tuple[Any, ...]:
        return Dataset.__new__, (Dataset,), self.__dict__

    def set_epoch(self, epoch: int) -> None:
        """Sets the number of the next epoch."""
        self.load_state_dict({"epoch": epoch, "batch": 0})

    def state_dict(self, batch: Optional[int] = None) -> Dict[str, int]:
        """Where to go on, for ``load_state_dict``. ``batch`` is how many batches of the epoch were taken; it must be told if workers made them, who are ahead.
        A worker tells its own place, for torchdata's StatefulDataLoader."""
        if info := _worker():
            self._at = self._at or self._begin(self._key(info))
            return {"epoch": self._at[0], "batch": self._at[1]}
        epoch, before, key = self._began()[-1]
        if batch is None:
            if key and not key.startswith(f"{os.getpid()}-"):
                raise ValueError("workers made the batches: tell how many of them were taken")
            batch = self._at[1] if key else before
        return {"epoch": epoch, "batch": batch} if batch < self._len else {"epoch": epoch + 1, "batch": 0}

    def load_state_dict(self, state: Dict[str, int]) -> None:
        """The next epoch is the rest of the one that was not finished, if there are as many workers as before."""
        info = _worker()
        if info is None:
            shutil.rmtree(self._epochs)
        else:
            self._at, self._loaded = (state["epoch"], state["batch"]), True
        os.makedirs(os.path.join(self._epochs, f"{state['epoch']}.{state['batch']}.{self._key(info) if info else ''}"), exist_ok=True)

    def _key(self, info: Any) -> str:
        """Names the epoch that begins. The number that PyTorch draws for one is the same in all workers."""
        return f"{info.seed - info.id if info else os.getpid()}-{self._begun}"

    def _began(self) -> List[Tuple[int, int, str]]:
        """The epochs that have begun, sorted. If the last has no key, it has not begun."""
        names = (name.split(".") for name in os.listdir(self._epochs))
        return sorted(((int(epoch), int(batch), key) for epoch, batch, key in names), key=lambda e: (e[0], bool(e[2]))) or [(0, 0, "")]

    def _begin(self, key: str) -> Tuple[int, int]:
        """The number of an epoch, which is the same for workers of the same key, and how many batches were taken before."""
        os.makedirs(self._epochs, exist_ok=True)
        began = self._began()  # once: another worker may write between two
        for epoch, before, k in began:
            if k == key:
                return epoch, before
        epoch, before, k = began[-1]
        epoch, before = (epoch + 1, 0) if k else (epoch, before)
        os.makedirs(os.path.join(self._epochs, f"{epoch}.{before}.{key}"), exist_ok=True)
        return epoch, before

    def __iter__(self) -> Iterator[Dict[str, np.ndarray]]:
        info = _worker()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        epoch, before = self._at = self._at if self._loaded else self._begin(self._key(info))
        self._begun, self._loaded = self._begun + 1, False
        share, more = divmod(self._len, workers)
        first, n = worker * share + min(worker, more), share + (worker < more)
        skipped = min(n, max(0, -(-(before - worker) // workers)))
        for own, batch in enumerate(self._plan.batches([self._plan.o.shuffle or 0, epoch], first + skipped, first + n), skipped + 1):
            self._at = epoch, own * workers
            # Older versions of PyTorch have no integers of 16 bits without a sign, and newer ones can do little with them.
            yield {name: a.astype(np.int32) if a.dtype == np.uint16 else a for name, a in batch._asdict().items() if a is not None and name != "positions"}
