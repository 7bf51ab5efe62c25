"""The template is read as it would be deployed."""

import json
from pathlib import Path

import pytest

from local.deployment import Deployment
from local.stack import TEMPLATE
from local.template import load
from local.transform import InvalidTemplate

HEAD = """
Transform: AWS::Serverless-2016-10-31
Parameters:
  Level: {Type: String, Default: INFO, AllowedValues: [INFO, DEBUG]}
  Needed: {Type: String, Default: given}
Resources:
  EchoFunction:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: app.handler
      CodeUri: functions/echo
"""


def written(directory: Path, more: str) -> Path:
    """A template with one function, and `more` after it."""
    (directory / "functions/echo").mkdir(parents=True, exist_ok=True)
    path = directory / "template.yaml"
    path.write_text(HEAD + more)
    return path


@pytest.fixture(scope="module")
def real() -> Deployment:
    return load(TEMPLATE, {"ModelBaseUrl": "http://model/v1"}, "shop")


def test_a_function_gets_the_environment_its_template_gives_it(real: Deployment) -> None:
    environment = real.function("ToolLoop").environment
    assert environment["TURNKEY_MODEL_BASE_URL"] == "http://model/v1"
    assert environment["TURNKEY_CONVERSATIONS_TABLE"] == "shop-ConversationsTable"
    assert environment["TURNKEY_SECRETS_PREFIX"] == "shop"
    assert "TURNKEY_MODEL_BASE_URL" not in real.function("Webhook").environment


def test_a_function_has_its_own_code_its_layers_and_its_limits(real: Deployment) -> None:
    function = real.function("RouteFunction")
    assert function.name == "shop-route"
    assert function.code_dir == TEMPLATE.parent / "functions/route"
    assert TEMPLATE.parent / "layers/turnkey" in function.layer_dirs
    assert (function.timeout_seconds, function.memory_mb, function.handler) == (40, 1024, "app.handler")


def test_the_tables_keep_their_keys_and_their_time_to_live(real: Deployment) -> None:
    tables = {table.logical_id: table for table in real.tables}
    assert tables["ConversationsTable"].ttl_attribute == "expires_at"
    assert tables["TenantsTable"].ttl_attribute is None
    assert [key["AttributeName"] for key in tables["TenantsTable"].schema["KeySchema"]] == ["pk", "sk"]


def test_the_definition_names_the_deployed_functions_and_has_its_anchors_written_out(real: Deployment) -> None:
    [machine] = real.state_machines
    states = json.loads(machine.definition)["States"]
    assert states["Route"]["Parameters"]["FunctionName"] == real.function("Route").arn
    assert states["Compose"]["Retry"] == states["Draw"]["Retry"] == states["Route"]["Retry"][1:] != []
    assert "${" not in machine.definition


def test_the_routes_lead_to_their_functions(real: Deployment) -> None:
    assert [(route.key, route.function_name) for route in real.routes] == [
        ("GET /documents/{tenant}/{token}", "shop-download"),
        ("POST /people/{tenant}/{connection}", "shop-webhook"),
        ("POST /hooks/{tenant}/{connection}", "shop-webhook"),
    ]


def test_outputs_are_resolved(real: Deployment) -> None:
    assert real.outputs["ProvisionFunctionName"] == "shop-provision"


def test_short_and_long_forms_of_intrinsics_mean_the_same(tmp_path: Path) -> None:
    environment = """
      Environment:
        Variables:
          A: !Sub ["${x}-${AWS::Region}-${Level}", {x: !Ref Needed}]
          B: {"Fn::Join": ["/", [!Ref "AWS::StackName", "${!literal}"]]}
          C: !Ref AWS::NoValue
          D: !GetAtt OtherFunction.Arn
          E: {"Fn::GetAtt": OtherFunction.Arn}
          F: !Sub "${!kept}"
  OtherFunction:
    Type: AWS::Serverless::Function
    Properties: {Runtime: python3.13, Handler: app.handler, CodeUri: functions/echo, FunctionName: other}
"""
    variables = load(written(tmp_path, environment), stack_name="s").function("Echo").environment
    arn = "arn:aws:lambda:us-east-1:123456789012:function:other"
    assert variables == {
        "A": "given-us-east-1-INFO",
        "B": "s/${!literal}",
        "D": arn,
        "E": arn,
        "F": "${kept}",
    }


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("      MemorySize: !ImportValue other", "EchoFunction.MemorySize: Fn::ImportValue does not work"),
        ("      Environment: {Variables: {A: !Ref Nobody}}", "EchoFunction.Environment.A: Nobody is neither"),
        ("      Environment: {Variables: {A: !GetAtt EchoFunction.Size}}", "EchoFunction.Size of a AWS::Lambda"),
        ("  Queue: {Type: AWS::SQS::Queue}", "Queue: the one-machine stack has no AWS::SQS::Queue"),
        ("      Layers: [arn:aws:lambda:us-east-1:1:layer:x:1]", "a layer must be one of the template's own"),
        ("      CodeUri: functions/nowhere", "EchoFunction.CodeUri: there is nothing at"),
    ],
)
def test_what_does_not_work_on_one_machine_is_refused_with_its_place(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(InvalidTemplate, match=message):
        load(written(tmp_path, more))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Level": "LOUD"}, "Level is 'LOUD'. It must be one of INFO, DEBUG"),
        ({"Lever": "INFO"}, "no parameter Lever"),
    ],
)
def test_wrong_parameters_are_refused(tmp_path: Path, parameters: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidTemplate, match=message):
        load(written(tmp_path, ""), parameters)


def test_a_parameter_without_a_value_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "")
    path.write_text(path.read_text().replace(", Default: given", ""))
    with pytest.raises(InvalidTemplate, match="Needed has no default"):
        load(path)


def test_a_definition_without_all_its_substitutions_is_refused(tmp_path: Path) -> None:
    machine = """
  Machine:
    Type: AWS::Serverless::StateMachine
    Properties: {DefinitionUri: machine.yaml, DefinitionSubstitutions: {Echo: !GetAtt EchoFunction.Arn}}
"""
    (tmp_path / "machine.yaml").write_text("{StartAt: '${Echo}', States: {'${Ecco}': {}}}")
    with pytest.raises(InvalidTemplate, match="nothing replaces Ecco"):
        load(written(tmp_path, machine))


def test_a_file_that_is_no_template_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("a: 1")
    with pytest.raises(InvalidTemplate, match="not a SAM template"):
        load(tmp_path / "other.yaml")
    with pytest.raises(InvalidTemplate, match="no such file"):
        load(tmp_path / "none.yaml")
