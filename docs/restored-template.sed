# Makes of template.yaml the one that a stack runs with on restored tables: sed -f docs/restored-template.sed template.yaml
# The tables leave the template (they are retained), and their names and the stream's ARN come from parameters.
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
    Description: ARN of the stream of the restored table of the registry.
s/!GetAtt RegistryTable\.StreamArn/!Ref RestoredRegistryStream/g
s/!GetAtt \(Pulses\|Registry\)Table\.Arn/!Sub "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table\/${Restored\1}"/g
s/\${\(Pulses\|Registry\)Table\.Arn}/arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table\/${Restored\1}/g
s/\${\(Pulses\|Registry\)Table}/${Restored\1}/g
s/!Ref \(Pulses\|Registry\)Table$/!Ref Restored\1/
s/!Ref \(Pulses\|Registry\)Table\([^A-Za-z]\)/!Ref Restored\1\2/g
