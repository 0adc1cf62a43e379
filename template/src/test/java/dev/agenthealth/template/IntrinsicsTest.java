package dev.agenthealth.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntrinsicsTest {

    private static final String TEMPLATE =
            """
            Parameters:
              Name: { Type: String, Default: anna }
              Count: { Type: Number, Default: 3, MinValue: 1, MaxValue: 5 }
              Size: { Type: String, Default: small, AllowedValues: [small, large] }
              Secret: { Type: String, AllowedPattern: "^[a-f]+$", ConstraintDescription: must be hexadecimal }
            Conditions:
              IsLarge: !Equals [!Ref Size, large]
              IsSmall: !Not [!Equals [!Ref Size, large]]
              Both: !And [!Not [!Equals [!Ref Size, large]], !Equals [!Ref Name, anna]]
              NotBoth: !Not [!Condition Both]
            Globals:
              Function: { AutoPublishAlias: live }
            Resources:
              Table: { Type: "AWS::DynamoDB::Table" }
              NamedTable: { Type: "AWS::DynamoDB::Table", Properties: { TableName: !Sub "${AWS::StackName}-table" } }
              Bus: { Type: "AWS::Events::EventBus", Properties: { Name: !Sub "${AWS::StackName}-bus" } }
              Worker: { Type: "AWS::Serverless::Function" }
              Api: { Type: "AWS::Serverless::HttpApi" }
              Letters: { Type: "AWS::SQS::Queue" }
              Probe: { Type: "AWS::Test::Probe", Properties: { Value: %s } }
            """;

    private static Object valueOf(String expression, Resolution resolution) {
        Map<String, Object> document = YamlDocument.read(TEMPLATE.formatted(expression), "test");
        Section probe = new Section("template", document)
                .child("Resources")
                .child("Probe")
                .child("Properties");
        return new Intrinsics(document, resolution).resolve(probe.values().get("Value"));
    }

    private static Object valueOf(String expression) {
        return valueOf(expression, Resolution.local());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    !Ref Name                                        | anna
                    {Ref: Name}                                      | anna
                    !Ref Count                                       | 3
                    !Ref AWS::StackName                              | agent-health
                    !Ref AWS::Region                                 | us-east-1
                    !Ref AWS::AccountId                              | 000000000000
                    !Ref AWS::Partition                              | aws
                    !Ref Table                                       | Table
                    !Ref NamedTable                                  | agent-health-table
                    !Ref Bus                                         | agent-health-bus
                    !Ref Worker                                      | Worker
                    !Ref Worker.Alias                                | arn:aws:lambda:us-east-1:000000000000:function:Worker:live
                    !Ref Letters                                     | https://sqs.us-east-1.amazonaws.com/000000000000/Letters
                    !GetAtt Table.Arn                                | arn:aws:dynamodb:us-east-1:000000000000:table/Table
                    !GetAtt Table.StreamArn                          | arn:aws:dynamodb:us-east-1:000000000000:table/Table/stream/latest
                    {"Fn::GetAtt": [NamedTable, Arn]}                | arn:aws:dynamodb:us-east-1:000000000000:table/agent-health-table
                    !GetAtt Bus.Arn                                  | arn:aws:events:us-east-1:000000000000:event-bus/agent-health-bus
                    !GetAtt Letters.Arn                              | arn:aws:sqs:us-east-1:000000000000:Letters
                    !GetAtt Api.ApiEndpoint                          | https://api.execute-api.us-east-1.amazonaws.com
                    !Sub "${Table.Arn}/index/x"                      | arn:aws:dynamodb:us-east-1:000000000000:table/Table/index/x
                    !Sub "${Name} has ${Count} of ${!Literal}"       | anna has 3 of ${Literal}
                    !If [IsLarge, big, little]                       | little
                    !If [Both, yes, no]                              | yes
                    !If [NotBoth, yes, no]                           | no
                    """)
    void resolves(String expression, String expected) {
        assertThat(String.valueOf(valueOf(expression))).isEqualTo(expected);
    }

    @Test
    void no_value_removes_the_key_or_element() {
        assertThat(valueOf("{a: !Ref AWS::NoValue, b: [1, !Ref AWS::NoValue, 2]}"))
                .isEqualTo(Map.of("b", List.of(1L, 2L)));
    }

    @Test
    void a_condition_in_a_policy_statement_is_no_reference() {
        assertThat(valueOf("{Condition: {StringEquals: {a: !Ref Name}}}"))
                .isEqualTo(Map.of("Condition", Map.of("StringEquals", Map.of("a", "anna"))));
    }

    @Test
    void given_values_replace_defaults() {
        Resolution given = Resolution.local()
                .withParameter("Name", "berta")
                .withAttribute("Api", "ApiEndpoint", "http://localhost:8080");
        assertThat(valueOf("!Sub \"${Name} at ${Api.ApiEndpoint}\"", given))
                .isEqualTo("berta at http://localhost:8080");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    !Ref Missing                    | Missing
                    !Ref Secret                     | parameter Secret has no default
                    !GetAtt Table.Colour            | Table.Colour
                    !GetAtt Table                   | Resource.Attribute
                    !GetAtt Missing.Arn             | Missing
                    !Sub "${Missing}"               | Missing
                    !If [Nothing, a, b]             | condition Nothing is not defined
                    !Equals [a]                     | needs 2 arguments
                    !Equals x                       | needs a list
                    !Join ["-", [a, b]]             | unknown tag !Join
                    !!java.lang.Runtime {}          | tag
                    {"Fn::Join": ["-", [a]]}        | Fn::Join is not supported
                    {"Fn::ImportValue": x}          | Fn::ImportValue is not supported
                    """)
    void an_error_names_its_cause(String expression, String message) {
        assertThatThrownBy(() -> valueOf(expression))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "Count, 0, must be from",
        "Count, 6, must be from",
        "Count, many, must be a number",
        "Count, NaN, must be from",
        "Size, medium, must be one of",
        "Secret, XYZ, must be hexadecimal",
        "Missing, x, not declared"
    })
    void parameters_are_checked(String name, String value, String message) {
        Resolution given = Resolution.local().withParameter(name, value);
        assertThatThrownBy(() -> valueOf("!Ref " + name, given))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining(message);
    }
}
