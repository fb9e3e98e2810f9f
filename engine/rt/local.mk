# The runtime that lives in the target: see the rules in this file's blob section.
