# Makes of template.yaml the one that a stack runs with on restored tables: sed -f docs/restored-template.sed template.yaml
# The included files that name the tables are changed in the same way: the restored template includes restored-alarms.yaml and restored-dashboard.yaml.
# The tables leave the template (they are retained), and their names and the stream's ARN come from parameters. With RestoredSecretsKeyArn, so does the key of secrets.
/^  \(Pulses\|Registry\)Table:$/,/^  [A-Za-z#]/ {
  /^  \(Pulses\|Registry\)Table:$/d
  /^  [A-Za-z#]/!d
}
/^Parameters:/a\
  RestoredPulses:\
    Type: String\
    Description: Name of the restored table of pulses.\
  RestoredRegistry:\
    Type: String\
    Description: Name of the restored table of the registry.\
  RestoredRegistryStream:\
    Type: String\
    Description: ARN of the stream of the restored table of the registry.\
  RestoredSecretsKeyArn:\
    Type: String\
    Default: ""\
    AllowedPattern: "^$|^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/(mrk-)?[0-9a-f-]{32,36}$"\
    Description: ARN of the key of the secrets in the restored tables; empty for the key of this stack.
/^Conditions:/a\
  HasSecretsKey: !Equals [!Ref RestoredSecretsKeyArn, ""]
/^  SecretsKey:$/,/^    Type:/ {
  /^    Type:/a\
    Condition: HasSecretsKey
}
s/Location: deploy\/\(alarms\|dashboard\)\.yaml/Location: restored-\1.yaml/
s/Ref: \(Pulses\|Registry\)Table\([^A-Za-z]\)/Ref: Restored\1\2/g
s/!GetAtt SecretsKey\.Arn/!If [HasSecretsKey, !GetAtt SecretsKey.Arn, !Ref RestoredSecretsKeyArn]/g
s/!GetAtt RegistryTable\.StreamArn/!Ref RestoredRegistryStream/g
s/!GetAtt \(Pulses\|Registry\)Table\.Arn/!Sub "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table\/${Restored\1}"/g
s/\${\(Pulses\|Registry\)Table\.Arn}/arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table\/${Restored\1}/g
s/\${\(Pulses\|Registry\)Table}/${Restored\1}/g
s/!Ref \(Pulses\|Registry\)Table$/!Ref Restored\1/
s/!Ref \(Pulses\|Registry\)Table\([^A-Za-z]\)/!Ref Restored\1\2/g
