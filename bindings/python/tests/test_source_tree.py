"""The tree that keeps comments, and the formatter."""

import inspect

import pytest

import hclvm

TEXT = """# The service.
service "web" {
  port = 80 # http
  # How many.
  replicas = 2
}
"""


def test_reading():
    tree = hclvm.SourceTree(TEXT)
    assert tree.text == TEXT
    (service,) = tree.items()
    assert (tree.kind(service), tree.name(service), tree.labels(service)) == ("block", "service", ["web"])
    port = tree.find_attribute("port", service)
    assert (tree.kind(port), tree.value(port)) == ("attribute", "80")
    begin, end = tree.range(port)
    assert TEXT.encode()[begin:end] == b"port = 80"
    assert tree.node_at(begin) == port
    assert tree.find_block("service", ["web"]) == service
    assert tree.find_block("service") is None
    assert hclvm.SourceTree(b"a = ) b").text == "a = ) b"
    assert hclvm.SourceTree("x y z").kind(1) == "broken"


def test_edits():
    tree = hclvm.SourceTree(TEXT)
    service = tree.find_block("service", ["web"])
    tree.set_attribute("port", "8080", service)
    tree.set_attribute("name", '"web"', service)
    tree.remove(tree.find_attribute("replicas", service))
    tree.set_label(service, 0, "front")
    tree.add_block("health", body=service)
    tree.rename(service, "app")
    assert (
        tree.text
        == """# The service.
app "front" {
  port = 8080 # http
  name = "web"

  health {}
}
"""
    )
    for wrong in (
        lambda: tree.set_attribute("port", "1 +", service),
        lambda: tree.add_block("a b"),
        lambda: tree.rename(service, "1"),
        lambda: tree.remove(0),
        lambda: hclvm.SourceTree(b"\xff"),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(IndexError):
        tree.name(1000)


def test_format():
    assert hclvm.format_config("a=1\nlong=2\n") == "a    = 1\nlong = 2\n"
    with pytest.raises(hclvm.CompileError) as error:
        hclvm.format_config("a = ", name="x.hcl")
    assert error.value.diagnostics[0].file == "x.hcl"
    with pytest.raises(hclvm.LimitError):
        hclvm.format_config("a = 1", limits=hclvm.Limits(max_source_bytes=2))


def test_docstrings():
    for name, method in vars(hclvm.SourceTree).items():
        if not name.startswith("_"):
            assert len(inspect.getdoc(method) or "") > 10, name
