"""Does by the letter what tf-phi prints about a declaration in JSON: takes it out, and pastes its native form into a file of its own."""

import json
import re

HEADING = "Declare it in a `.tf` file, in place of the JSON:\n"


def follow_declaration(folder, said):
    """Pastes what was printed; False where nothing of the kind was."""
    if HEADING not in said:
        return False
    before, after = said.split(HEADING, 1)
    # Other issues may stand above it.
    path = re.findall(r"--> (\S+\.tf\.json):", before)[-1]
    printed = after.split("\n\nCode:", 1)[0]
    native = "".join(line[7:] + "\n" for line in printed.split("\n"))
    header = re.match(r'(resource|module) (?:"(\w+)" )?"(\w+)" \{', native)
    file = folder / path
    document = json.loads(file.read_text())
    way = [part for part in header.groups() if part]
    # Nothing is left empty: Terraform takes `"module": {}` for a block without its label.
    while way:
        inner = document
        for part in way[:-1]:
            inner = inner[part]
        del inner[way.pop()]
        if inner:
            break
    file.write_text(json.dumps(document, indent=1))
    (file.parent / f"declared_{header[3]}.tf").write_bytes(native.encode())
    return True
