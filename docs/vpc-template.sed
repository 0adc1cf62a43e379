# Makes of template.yaml the one whose functions run in subnets of yours: sed -f docs/vpc-template.sed template.yaml
/^Parameters:/a\
  Subnets:\
    Type: List<AWS::EC2::Subnet::Id>\
    Description: Two or more subnets, in several zones, with a way to the internet.\
  SecurityGroups:\
    Type: List<AWS::EC2::SecurityGroup::Id>\
    Description: Security groups that let the functions out.
/^Resources:/a\
  # Network interfaces have no names of their own before they exist.\
  NetworkUse:\
    Type: AWS::IAM::ManagedPolicy\
    Properties:\
      PolicyDocument:\
        Version: "2012-10-17"\
        Statement:\
          - Effect: Allow\
            Action: [ec2:AssignPrivateIpAddresses, ec2:CreateNetworkInterface, ec2:DeleteNetworkInterface, ec2:DescribeNetworkInterfaces, ec2:DescribeSubnets, ec2:UnassignPrivateIpAddresses]\
            Resource: "*"
s/^      ManagedPolicyArns: \[!If \[HasKey,/      ManagedPolicyArns: [!Ref NetworkUse, !If [HasKey,/
/^    Tracing: Active$/a\
    VpcConfig: { SubnetIds: !Ref Subnets, SecurityGroupIds: !Ref SecurityGroups }
/^      LoggingConfig: { LogGroup: !Ref VersionCheckLogs/a\
      VpcConfig: { SubnetIds: !Ref Subnets, SecurityGroupIds: !Ref SecurityGroups }
