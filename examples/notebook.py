"""notebook.py PROGRAM FUNCTION [ARG...]: how long the function's calls took, as bars (doc/JSON.md)."""
import json
import subprocess
import sys


class Eztsh:
    def __init__(self, eztsh, *program):
        self.events = []  # what happened, besides answers
        self.process = subprocess.Popen([eztsh, "-nx", "--interpreter=json", "--args", *program], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, command):
        """Runs a command; gives its JSON, or else its lines."""
        self.process.stdin.write(json.dumps({"id": 1, "command": command}) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if "event" in answer:
                self.events.append(answer)
            elif answer["ok"]:
                return answer.get("result", answer["output"])
            else:
                raise RuntimeError(answer["error"]["message"])
        raise EOFError("eztsh ended")


if __name__ == "__main__":
    program, function, *arguments = sys.argv[1:]
    eztsh = Eztsh("eztsh", program, *arguments)
    eztsh("hist " + function)
    eztsh("run")
    buckets = eztsh("info aggregates -json")["aggregates"][0]["rows"][0]["buckets"]  # [ns, calls], ...
    try:
        from matplotlib import pyplot
        pyplot.bar(["%.0f" % ns for ns, _ in buckets], [calls for _, calls in buckets])
        pyplot.savefig("notebook.png")
    except ImportError:
        for ns, calls in buckets:
            print("%10.0f ns %9d %s" % (ns, calls, "#" * round(40 * calls / max(b[1] for b in buckets))))
