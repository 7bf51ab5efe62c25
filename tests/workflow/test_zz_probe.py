from tests.workflow.test_handing_over import *
from tests.workflow.conftest import *
def test_p(shop, model):
    search = calls(Call("search_books", {"query": "whales", "limit": 3}))
    model.script([search, calls(Call("show_items", {"handle": "r1", "limit": 2})), "There they are.", HERE])
    shop.post(WHALES)
    print(message(shop))
    for s in shop.steps(): print(s)
    print(shop.turns()[0]["reply"])
    for r in model.requests: print(shown(r.body), last(r.body)[:300])
def test_q(shop, model):
    shop.manifest["connections"][0]["progress"] = True
    print(shop.apply())
    model.small([facts("whales")])
    model.script(as_told(HERE))
    shop.post(WHALES)
    shop.texts(1)
    print(shop.receiver.posts)
    print(shop.logs("ToolLoop")[-12:])
