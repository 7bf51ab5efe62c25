"""What is kept: DynamoDB rows, secrets. One adapter an idea; boto3 is imported here and nowhere else in the layer."""
