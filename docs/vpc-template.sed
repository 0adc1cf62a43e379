# Makes of template.yaml the one whose functions run in subnets of yours: sed -f docs/vpc-template.sed template.yaml
# SAM adds the permission to attach to a network to the functions' roles.
/^Parameters:/a\
  Subnets:\
    Type: List<AWS::EC2::Subnet::Id>\
    Description: Two or more subnets, in several zones, with a way to the internet.\
  SecurityGroups:\
    Type: List<AWS::EC2::SecurityGroup::Id>\
    Description: Security groups that let the functions out.
/^    Tracing: Active$/a\
    VpcConfig: { SubnetIds: !Ref Subnets, SecurityGroupIds: !Ref SecurityGroups }
/^      LoggingConfig: { LogGroup: !Ref VersionCheckLogs/a\
      VpcConfig: { SubnetIds: !Ref Subnets, SecurityGroupIds: !Ref SecurityGroups }
/^      Description: The role of VersionCheck/a\
      ManagedPolicyArns: [!Sub "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole"]
