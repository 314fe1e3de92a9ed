"""Writes the pictures of the documents: `scripts/pictures`."""

import os
import pathlib
import sys
import tempfile

import trees
from webdriver import Browser


def main(folder):
    with tempfile.TemporaryDirectory() as scratch:
        pages = trees.shop(pathlib.Path(scratch) / "shop")
        browser = Browser(os.environ["CHROMIUM"], os.environ["CHROMEDRIVER"])
        try:
            shots = [("review", "light"), ("review", "dark"), ("matrix", "light"), ("graph", "light")]
            width, height = 1180, 880
            for name, scheme in shots:
                browser.size(width, height)
                browser.prefers(scheme)
                browser.open(pages[name])
                high = browser.run("return document.querySelector('main').getBoundingClientRect().bottom")
                browser.size(width, min(height, int(high)))
                browser.picture(folder / f"{name}-{scheme}.png")
        finally:
            browser.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
